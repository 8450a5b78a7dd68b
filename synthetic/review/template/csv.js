"use strict";
// Rows of texts to comma-separated values (RFC 4180) and back.
function toCsv(rows) {
  const cell = (text) => (/[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map((value) => cell(String(value))).join(",") + "\r\n").join("");
}

// Returns [{line, cells}]; spreadsheets may have made it, with semicolons or tabs instead of commas.
function fromCsv(text) {
  const content = text.replace(/^\uFEFF/, "");
  const head = content.split("\n", 1)[0];
  const count = (sign) => head.split(sign).length;
  const delimiter = head.includes("\t") ? "\t" : count(";") > count(",") ? ";" : ",";
  const rows = [];
  let cells = [""], quoted = false, line = 1, start = 1;
  const finish = () => {
    if (cells.some((cell) => cell.trim())) rows.push({ line: start, cells });
    cells = [""];
    start = line;
  };
  for (let i = 0; i < content.length; i++) {
    const sign = content[i], last = cells.length - 1;
    if (sign === "\n") line++;
    if (quoted) {
      if (sign !== '"') cells[last] += sign;
      else if (content[i + 1] === '"') { cells[last] += '"'; i++; }
      else quoted = false;
    } else if (sign === '"' && cells[last] === "") quoted = true;
    else if (sign === delimiter) cells.push("");
    else if (sign === "\n") finish();
    else if (sign !== "\r") cells[last] += sign;
  }
  if (quoted) throw new Error(`line ${start}: a quote is not closed`);
  finish();
  return rows;
}
