"""Every notebook runs from a clean kernel, and is stored without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and not any(cell.outputs or cell.execution_count for cell in code), "strip the outputs"
    where = {"metadata": {"path": path.parent}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=where).execute()
    outputs = [output for cell in code for output in cell.outputs]
    assert not [output.text for output in outputs if "Warning" in output.get("text", "")]
    assert any("<svg" in output.get("data", {}).get("text/html", "") for output in outputs)
