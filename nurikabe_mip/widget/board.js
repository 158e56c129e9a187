// The board of BoardWidget: it draws the traits of the model, edits `tokens` and `marks`, and sends what to do.

const NEXT = { ".": "#", "#": "-", "-": "." };
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const ACTIONS = [
  ["solve", "Solve"],
  ["stop", "Stop"],
  ["hint", "Hint"],
  ["check", "Check"],
  ["other", "Other solution"],
  ["clear", "Clear"],
];
const NAMES = { ".": "open", "#": "shaded", "-": "dotted" };

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "nm-board";
  root.dataset.lmSuppressShortcuts = "true"; // else JupyterLab takes the keys
  const bar = document.createElement("div");
  bar.className = "nm-bar";
  const grid = document.createElement("div");
  grid.className = "nm-grid";
  grid.tabIndex = 0;
  grid.setAttribute("role", "grid");
  const message = document.createElement("div");
  message.className = "nm-message";
  message.setAttribute("role", "status");
  const paste = document.createElement("textarea");
  paste.className = "nm-paste";
  paste.rows = 1;
  paste.placeholder = "Paste a puzzle: an address, an ID, a grid, …";
  root.append(bar, grid, message, paste);
  el.append(root);

  let cursor = [0, 0];
  let cells = [];
  let painting = null;

  const buttons = {};
  for (const [action, label] of ACTIONS) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.className = `nm-${action}`;
    button.addEventListener("click", () => (action === "other" ? other() : send({ do: action })));
    bar.append(button);
    buttons[action] = button;
  }

  // what to do goes with the board that it is about: a message can overtake edits, which wait while the kernel is busy
  const send = (content) => model.send({ ...content, tokens: model.get("tokens"), marks: model.get("marks") });
  const token = (row, column) => model.get("tokens")[row][column];
  const mark = (row, column) => model.get("marks")[row][column];
  const isClue = (row, column) => token(row, column) !== ".";

  function edit(changes) {
    const nothing = { outline: [], mistakes: [], support: [], second: [], message: "", kind: "" };
    for (const [name, value] of Object.entries({ ...nothing, ...changes })) model.set(name, value);
    model.save_changes();
  }

  function withMark(row, column, value) {
    const marks = [...model.get("marks")];
    marks[row] = marks[row].slice(0, column) + value + marks[row].slice(column + 1);
    return marks;
  }

  function setMark(row, column, value) {
    if (!isClue(row, column) && mark(row, column) !== value) edit({ marks: withMark(row, column, value) });
  }

  function setToken(row, column, value) {
    const tokens = model.get("tokens").map((line) => [...line]);
    tokens[row][column] = value;
    edit({ tokens, marks: withMark(row, column, ".") });
  }

  function type(key) {
    const [row, column] = cursor;
    const old = token(row, column);
    if (key === "?") return setToken(row, column, "?");
    const longer = /^\d+$/.test(old) ? old + key : key;
    const number = Number(longer) <= model.get("largest") ? longer : key;
    if (Number(number) >= 1 && Number(number) <= model.get("largest")) setToken(row, column, number);
  }

  function erase() {
    const [row, column] = cursor;
    const old = token(row, column);
    if (old === ".") setMark(row, column, ".");
    else setToken(row, column, old.length > 1 ? old.slice(0, -1) : ".");
  }

  function other() {
    const second = model.get("second");
    if (!second.length) return;
    model.set("second", model.get("marks"));
    model.set("marks", second);
    model.save_changes();
  }

  function moveTo(row, column) {
    const shape = [cells.length, cells[0].length];
    cursor = [Math.min(Math.max(row, 0), shape[0] - 1), Math.min(Math.max(column, 0), shape[1] - 1)];
    drawMarks();
  }

  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = cursor;
    const toggled = (value) => setMark(row, column, mark(row, column) === value ? "." : value);
    if (event.key in MOVES) moveTo(row + MOVES[event.key][0], column + MOVES[event.key][1]);
    else if (/^[0-9?]$/.test(event.key)) type(event.key);
    else if (event.key === "Backspace" || event.key === "Delete") erase();
    else if (event.key === " " || event.key === "#" || event.key === "x") toggled("#");
    else if (event.key === "-" || event.key === ".") toggled("-");
    else if (event.key === "Enter") send({ do: "solve" });
    else if (event.key === "Escape") send({ do: "stop" });
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  const place = (event) => {
    const cell = event.target.closest?.(".nm-cell");
    return cell && grid.contains(cell) ? [Number(cell.dataset.row), Number(cell.dataset.column)] : null;
  };

  grid.addEventListener("pointerdown", (event) => {
    const at = place(event);
    if (!at) return;
    if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId); // touch
    grid.focus({ preventScroll: true });
    event.preventDefault();
    moveTo(...at);
    if (isClue(...at)) return;
    const old = mark(...at);
    painting = event.button === 2 ? (old === "-" ? "." : "-") : NEXT[old];
    setMark(...at, painting);
  });
  grid.addEventListener("pointerover", (event) => {
    const at = place(event);
    if (painting !== null && at) setMark(...at, painting);
  });
  const release = () => (painting = null);
  window.addEventListener("pointerup", release);
  grid.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    event.stopPropagation();
    grid.focus({ preventScroll: true }); // JupyterLab has taken it before
  });

  root.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    if (!text.trim()) return;
    event.preventDefault();
    event.stopPropagation();
    paste.value = "";
    send({ do: "paste", text });
  });
  paste.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key !== "Enter" || event.shiftKey || !paste.value.trim()) return;
    event.preventDefault();
    send({ do: "paste", text: paste.value });
    paste.value = "";
  });

  function drawCells() {
    const tokens = model.get("tokens");
    const [rows, columns] = [tokens.length, tokens[0]?.length ?? 0];
    if (cells.length !== rows || cells[0]?.length !== columns) {
      const size = Math.min(Math.max(Math.floor(560 / Math.max(rows, columns)), 16), 40);
      grid.style.setProperty("--size", `${size}px`);
      grid.style.gridTemplateColumns = `repeat(${columns}, var(--size))`;
      cells = tokens.map((line, row) =>
        line.map((_, column) => {
          const cell = document.createElement("div");
          cell.className = "nm-cell";
          cell.dataset.row = row;
          cell.dataset.column = column;
          cell.setAttribute("role", "gridcell");
          return cell;
        }),
      );
      grid.replaceChildren(...cells.flat());
      cursor = [0, 0];
    }
    drawMarks();
  }

  function drawMarks() {
    const [tokens, marks] = [model.get("tokens"), model.get("marks")];
    const sets = ["outline", "mistakes", "support"].map((name) => [name, new Set(model.get(name).map(String))]);
    cells.forEach((line, row) =>
      line.forEach((cell, column) => {
        const clue = tokens[row]?.[column] ?? ".";
        const value = marks[row]?.[column] ?? ".";
        cell.textContent = clue === "." ? "" : clue;
        cell.dataset.value = value;
        cell.classList.toggle("nm-clue", clue !== ".");
        cell.classList.toggle("nm-cursor", row === cursor[0] && column === cursor[1]);
        for (const [name, chosen] of sets) cell.classList.toggle(`nm-${name}`, chosen.has(`${row},${column}`));
        const what = clue === "." ? NAMES[value] : `clue ${clue}`;
        cell.setAttribute("aria-label", `row ${row + 1}, column ${column + 1}: ${what}`);
      }),
    );
  }

  function drawState() {
    const busy = model.get("busy");
    root.classList.toggle("nm-busy", busy);
    for (const name of ["solve", "hint", "check"]) buttons[name].disabled = busy;
    buttons.stop.disabled = !busy;
    buttons.other.hidden = !model.get("second").length;
    message.textContent = model.get("message");
    message.dataset.kind = model.get("kind");
  }

  const watched = [
    ["change:tokens", drawCells],
    ["change:marks change:outline change:mistakes change:support", drawMarks],
    ["change:busy change:message change:kind change:second", drawState],
  ];
  for (const [events, draw] of watched) model.on(events, draw);
  drawCells();
  drawState();
  return () => {
    window.removeEventListener("pointerup", release);
    for (const [events, draw] of watched) model.off(events, draw);
  };
}

export default { render };
