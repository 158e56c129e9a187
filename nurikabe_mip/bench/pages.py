"""A report of results: one HTML file that needs nothing else, or Markdown with its pictures in a folder beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ..errors import OptionError
from .plots import Plot, all_plots, duration
from .records import Results
from .statistics import SHIFT, compare, disagreements, rules, summary

MOST_NAMED = 40  # puzzles or errors listed in one place

STYLE = """
body { font: 15px/1.5 system-ui, "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; color: #1d2a38; background: #fff;
  max-width: 1080px; margin: 2em auto; padding: 0 1.5em; }
h1 { font-size: 1.7em; margin-bottom: 0.2em; } h2 { font-size: 1.25em; margin-top: 2em; }
table { border-collapse: collapse; margin: 0.8em 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3em 0.8em; border-bottom: 1px solid #d5dbe1; text-align: right; vertical-align: top; }
th { background: #f2f4f7; font-weight: 600; } th.text, td.text { text-align: left; }
.wide { overflow-x: auto; } figure { margin: 1.2em 0; } figure svg { max-width: 100%; height: auto; }
figcaption, .note { color: #51606f; font-size: 0.93em; max-width: 52em; } .bad { color: #a3212f; font-weight: 600; }
"""


@dataclass(frozen=True)
class Table:
    """Rows of texts under headings; the first `words` columns are words, the others figures."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1

    def html(self) -> str:
        def row(tag: str, cells: Sequence[str]) -> str:
            kind = [' class="text"' if number < self.words else "" for number in range(len(cells))]
            marked = (f"<{tag}{k}>{escape(cell)}</{tag}>" for k, cell in zip(kind, cells, strict=True))
            return f"<tr>{''.join(marked)}</tr>"

        body = "\n".join(row("td", cells) for cells in self.rows)
        return f'<div class="wide"><table>\n{row("th", self.head)}\n{body}\n</table></div>'

    def markdown(self) -> str:
        def row(cells: Iterable[str]) -> str:
            return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

        marks = ["---" if number < self.words else "---:" for number in range(len(self.head))]
        return "\n".join([row(self.head), row(marks), *map(row, self.rows)])

    def text(self) -> str:
        """Columns of plain text."""
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        cells = [
            [c.ljust(w) if n < self.words else c.rjust(w) for n, (c, w) in enumerate(zip(line, widths, strict=True))]
            for line in lines
        ]
        return "\n".join("  ".join(line).rstrip() for line in cells)


def summary_table(results: Results, shift: float = SHIFT) -> Table:
    """The summary of each backend in a row."""
    head = ("backend", "solved", "of", "wrong", "median", "95th pct", "maximum", "shifted mean", "PAR-2", "memory")
    rows = []
    for row in summary(results, shift):
        names = ("median", "percentile_95", "maximum", "geometric_mean", "par2")
        times = [duration(row[name], results.limit) for name in names]
        memory = "–" if row["memory"] is None else f"{row['memory'] / 1e6:.0f} MB"
        rows.append((row["label"], str(row["solved"]), str(row["puzzles"]), str(row["wrong"]), *times, memory))
    return Table(head, rows)


def failure_table(results: Results) -> Table | None:
    """How the solves that do not count as solved ended; None if all do."""
    found = {row["label"]: row["failures"] for row in summary(results)}
    statuses = sorted({status for failures in found.values() for status in failures})
    rows = [(label, *(str(failures.get(status, 0)) for status in statuses)) for label, failures in found.items()]
    return Table(("backend", *statuses), rows) if statuses else None


def ratio_table(results: Results, baseline: str | None = None) -> Table | None:
    """The ratios of times of all pairs, or to a baseline; None if there is but one backend."""
    head = ("backend", "against", "time ratio", "95 % interval", "faster on", "of", "both", "only it", "only the other")
    rows = []
    for row in compare(results, baseline):
        counts = (row[name] for name in ("faster", "puzzles", "both", "only", "only_baseline"))
        interval = f"{row['low']:.3g} to {row['high']:.3g}"
        rows.append((row["label"], row["baseline"], f"{row['ratio']:.3g}", interval, *map(str, counts)))
    return Table(head, rows, words=2) if rows else None


def environment_table(results: Results) -> Table:
    """The machines and packages, a column each."""
    rows: dict[str, list[str]] = {}
    for environment in results.environments.values():
        memory = environment.get("memory")
        told = {
            "processor": environment.get("cpu"),
            "cores (usable)": f"{environment.get('cores')} ({environment.get('usable_cores')})",
            "memory": f"{memory / 1e9:.1f} GB" if memory else None,
            "system": environment.get("system"),
            "Python": environment.get("python"),
            "packages": _pairs(environment.get("packages")),
            "set": _pairs(environment.get("settings")),
            "solves at one time": environment.get("jobs"),
        }
        for name, value in told.items():
            rows.setdefault(name, []).append(str(value or "–"))
    settings = results.settings
    run = {
        "time limit": f"{settings['limit']:g} s, the process killed {settings['grace']:g} s later",
        "memory limit": f"{settings['memory'] / 1e9:g} GB",
        "threads, first seed": f"{settings['threads']}, {settings['seed']}",
    }
    machines = len(results.environments)
    for name, value in run.items():
        rows[name] = [value] * machines
    head = ["", *(f"machine {number}" if machines > 1 else "" for number in range(1, machines + 1))]
    return Table(head, [(name, *values) for name, values in rows.items()], words=1 + machines)


def _pairs(values: dict | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in (values or {}).items())


def corpus_line(results: Results) -> str:
    """The puzzles in a sentence."""
    shapes = sorted(
        (about["rows"] * about["columns"], about["rows"], about["columns"]) for about in results.puzzles.values()
    )
    if not shapes:
        return "No puzzle."
    sizes = " to ".join(dict.fromkeys(f"{rows}x{columns}" for _, rows, columns in (shapes[0], shapes[-1])))
    genres = ", ".join(sorted({about["genre"] for about in results.puzzles.values()}))
    return f"{len(results.puzzles)} puzzles ({genres}), {sizes}; {len(results.records)} solves."


def notes(results: Results) -> list[str]:
    """What a reader must know before the figures: wrong answers, contradictions, missing records."""
    found = [] if results.records else ["There is no record of a solve yet."]
    wrong = [f"{r['label']} on {r['puzzle']}" for r in results.records if r["verdict"] == "wrong"]
    if wrong:
        found.append(f"Wrong answers: {_listed(wrong)}.")
    for name, proofs in disagreements(results):
        found.append(f"Proofs contradict each other on {name}: {_listed(f'{b} says {p}' for b, p in proofs.items())}.")
    for row in summary(results):
        missing = len(results.puzzles) - row["puzzles"]
        if missing:
            found.append(f"{row['label']} has no record yet of {missing} of the {len(results.puzzles)} puzzles.")
    return found


def lost(results: Results) -> Table | None:
    """The first MOST_NAMED solves that ended in an error or lost their process; None if there were none."""
    rows = [
        (record["label"], record["puzzle"], record["status"], record["error"])
        for record in results.records
        if record["status"] in ("hung", "memory", "died", "error")
    ]
    return Table(("backend", "puzzle", "status", "what happened"), rows[:MOST_NAMED], words=4) if rows else None


def unsolved_table(results: Results) -> Table | None:
    """Which puzzles each backend left unsolved; None if there are none."""
    open_puzzles: dict[str, dict[str, None]] = {}
    for record in results.records:
        if not record["solved"]:
            open_puzzles.setdefault(record["label"], {})[record["puzzle"]] = None
    rows = [(label, str(len(names)), _listed(names)) for label, names in open_puzzles.items()]
    return Table(("backend", "number", "puzzles"), rows, words=3) if rows else None


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    rest = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + rest


def report(results: Results, path: Path | str, *, title: str = "Benchmark", shift: float = SHIFT) -> list[Path]:
    """Write a report; the ending of the name says which: .html, or .md with its plots in a folder beside it.

    `shift` in seconds is that of the shifted geometric mean. Returns the files written.
    Raises OptionError for another ending, PackageNotFound without matplotlib.
    """
    path = Path(path)
    if path.suffix not in (".html", ".md"):
        raise OptionError(f"a report is a file whose name ends in .html or .md; got {path.name!r}")
    plots = all_plots(results)
    if path.suffix == ".html":
        path.write_text(_html(results, plots, title, shift), encoding="utf-8")
        return [path]
    folder = path.with_name(f"{path.stem}-plots")
    folder.mkdir(exist_ok=True)
    pictures = {name: folder / f"{name}.png" for name in plots}
    for name, plot in plots.items():
        plot.save(pictures[name])
    path.write_text(_markdown(results, plots, pictures, title, shift), encoding="utf-8")
    return [path, *pictures.values()]


def _sections(results: Results, shift: float) -> list[tuple[str, str, Table | None]]:
    """The tables of a report: heading, what to know, table."""
    return [
        ("Summary", rules(results.limit, shift), summary_table(results, shift)),
        ("Pairs", "A time ratio below 1 says that the first is faster.", ratio_table(results)),
    ]


def _details(results: Results) -> list[tuple[str, str, Table | None]]:
    return [
        ("How unsolved puzzles ended", "Counted in solves.", failure_table(results)),
        ("Errors and lost processes", f"At most {MOST_NAMED} are listed.", lost(results)),
        ("Unsolved puzzles", "In at least one of the repeats.", unsolved_table(results)),
        ("Where and how", "", environment_table(results)),
    ]


def _html(results: Results, plots: dict[str, Plot], title: str, shift: float) -> str:
    def section(heading: str, note: str, table: Table | None) -> str:
        words = f'<p class="note">{escape(note)}</p>' if note else ""
        return f"<h2>{heading}</h2>\n{table.html()}\n{words}" if table is not None else ""

    figures = "\n".join(f"<figure>{p.svg}<figcaption>{escape(p.caption)}</figcaption></figure>" for p in plots.values())
    parts = [
        f"<h1>{escape(title)}</h1>\n<p>{escape(corpus_line(results))}</p>",
        *(f'<p class="bad">{escape(note)}</p>' for note in notes(results)),
        *(section(*part) for part in _sections(results, shift)),
        f"<h2>Plots</h2>\n{figures}",
        *(section(*part) for part in _details(results)),
    ]
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    body = "\n".join(filter(None, parts))
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def _markdown(results: Results, plots: dict[str, Plot], pictures: dict[str, Path], title: str, shift: float) -> str:
    def section(heading: str, note: str, table: Table | None) -> str:
        return "\n\n".join(filter(None, [f"## {heading}", table.markdown(), note])) if table is not None else ""

    figures = [
        f"![{name}]({pictures[name].parent.name}/{pictures[name].name})\n\n{p.caption}" for name, p in plots.items()
    ]
    parts = [
        f"# {title}",
        corpus_line(results),
        *(f"**{note}**" for note in notes(results)),
        *(section(*part) for part in _sections(results, shift)),
        "## Plots",
        *figures,
        *(section(*part) for part in _details(results)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"
