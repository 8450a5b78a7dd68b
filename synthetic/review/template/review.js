(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const items = data.items;
  const indexOf = new Map(items.map((item, index) => [item.id, index]));
  const byId = (id) => document.getElementById(id);
  const storageKey = `pedkit-review/${data.set}/${data.reviewer}`;
  const state = { at: 0, answers: {} }; // answers: id -> {verdict, note}

  // --- progress -------------------------------------------------------------------------------------------------
  function restore() {
    let kept = null;
    try {
      kept = JSON.parse(localStorage.getItem(storageKey));
      localStorage.setItem(storageKey, JSON.stringify(kept)); // fails where nothing can be kept
    } catch {
      byId("unsaved").hidden = false;
    }
    if (!kept) return;
    for (const [id, one] of Object.entries(kept.answers)) if (indexOf.has(id)) state.answers[id] = one;
    state.at = indexOf.get(kept.at) ?? 0;
  }

  function keep() {
    try {
      localStorage.setItem(storageKey, JSON.stringify({ at: items[state.at].id, answers: state.answers }));
    } catch {
      byId("unsaved").hidden = false;
    }
  }

  const answer = (item) => state.answers[item.id] ?? { verdict: "", note: "" };
  function setAnswer(item, change) {
    const changed = { ...answer(item), ...change };
    if (changed.verdict || changed.note) state.answers[item.id] = changed;
    else delete state.answers[item.id];
    keep();
    showProgress();
  }

  // --- what is shown --------------------------------------------------------------------------------------------
  function make(name, text, className) {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  }

  function phoneRow(title, columns, own) {
    const row = make("tr");
    const head = make("th", title);
    head.scope = "row";
    row.append(head);
    for (const column of columns) {
      const wrong = column[0] !== column[1];
      const cell = make("td", column[own] ?? "–", wrong ? (own ? "off" : "was") : "");
      if (wrong) cell.append(make("span", own ? " (error)" : " (not said so)", "hidden"));
      row.append(cell);
    }
    return row;
  }

  function phoneGroup(group) {
    const block = make("div", undefined, group.target ? "group target" : "group");
    if (group.word) block.append(make("h3", group.word));
    const table = make("table");
    table.append(phoneRow("canonical", group.columns, 0), phoneRow("to be heard", group.columns, 1));
    block.append(table);
    return block;
  }

  function show(index, { play = byId("autoplay").checked } = {}) {
    state.at = index;
    const item = items[index];
    byId("place").textContent = `${index + 1} of ${items.length}`;
    byId("text").textContent = item.text || item.id;
    byId("text").className = item.text.length > 40 ? "long" : "";
    byId("canonical").textContent = item.canonical;
    byId("realized").textContent = item.realized;
    byId("phones").replaceChildren(...item.groups.map(phoneGroup));
    const errors = item.errors.length ? item.errors : ["No error: all phones as they should be"];
    byId("errors").replaceChildren(...errors.map((text) => make("li", text)));
    byId("audio").src = item.audio;
    byId("note").value = answer(item).note;
    for (const button of document.querySelectorAll("[data-verdict]"))
      button.setAttribute("aria-pressed", String(button.dataset.verdict === answer(item).verdict));
    byId("back").disabled = index === 0;
    byId("next").disabled = index === items.length - 1;
    for (const button of document.querySelectorAll("#all button"))
      button.setAttribute("aria-current", String(Number(button.dataset.index) === index));
    keep();
    if (play) playNow();
  }

  function showProgress() {
    const judged = items.filter((item) => answer(item).verdict).length;
    byId("progress").value = judged;
    byId("count").textContent = `${judged} of ${items.length} judged`;
    byId("open").disabled = judged === items.length;
    items.forEach((item, index) => {
      byId("all").children[index].firstChild.textContent = `${item.text || item.id}: ${answer(item).verdict || "open"}`;
    });
  }

  function say(text) {
    byId("said").textContent = text;
  }

  // --- what can be done -----------------------------------------------------------------------------------------
  function playNow() {
    const audio = byId("audio");
    audio.currentTime = 0;
    audio.play().catch((error) => {
      if (error.name === "NotAllowedError") say("Press P to play: the browser waits for a key or a click first.");
      else if (error.name !== "AbortError") say("This recording cannot be played. Is the audio folder where it was?");
    });
  }

  function move(step) {
    const index = state.at + step;
    if (index >= 0 && index < items.length) show(index);
  }

  function nextOpen() {
    for (let step = 1; step <= items.length; step++) {
      const index = (state.at + step) % items.length;
      if (!answer(items[index]).verdict) return show(index);
    }
    say("All recordings have a verdict: download the CSV file and hand it in.");
    byId("export").focus();
    return undefined;
  }

  function judge(verdict) {
    const item = items[state.at];
    setAnswer(item, { verdict });
    const done = { accept: "Accepted", reject: "Rejected", unsure: "Unsure" }[verdict] ?? "Open again";
    say(`${done}: ${item.text || item.id}`);
    if (!verdict || !byId("advance").checked) return show(state.at, { play: false });
    nextOpen();
    const now = items[state.at];
    if (now !== item) say(`${done}: ${item.text || item.id}. Now ${state.at + 1}: ${now.text || now.id}`);
    return undefined;
  }

  function download() {
    const rows = items
      .filter((item) => state.answers[item.id])
      .map((item) => [data.set, data.reviewer, item.id, answer(item).verdict, answer(item).note]);
    const link = make("a");
    const content = "\uFEFF" + toCsv([data.columns, ...rows]); // the mark tells spreadsheets that this is UTF-8
    link.href = URL.createObjectURL(new Blob([content], { type: "text/csv" }));
    link.download = data.fileName;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function load(text) {
    const [head, ...rows] = fromCsv(text);
    const names = (head?.cells ?? []).map((name) => name.trim().toLowerCase());
    for (const name of ["id", "verdict"])
      if (!names.includes(name)) throw new Error(`line 1: there is no column “${name}”`);
    const found = {};
    for (const { line, cells } of rows) {
      const get = (name) => (cells[names.indexOf(name)] ?? "").trim();
      const [id, verdict] = [get("id"), get("verdict").toLowerCase()];
      if (get("set") && get("set") !== data.set) throw new Error(`line ${line}: this is of another set`);
      if (get("reviewer") && get("reviewer") !== data.reviewer)
        throw new Error(`line ${line}: this is ${get("reviewer")}'s, and this page is ${data.reviewer}'s`);
      if (!indexOf.has(id)) throw new Error(`line ${line}: “${id}” is not on this page`);
      if (verdict && !data.verdicts.includes(verdict)) throw new Error(`line ${line}: “${verdict}” is no verdict`);
      if (Object.hasOwn(found, id)) throw new Error(`line ${line}: “${id}” stands twice`);
      found[id] = { verdict, note: get("note") };
    }
    Object.assign(state.answers, found);
    keep();
    showProgress();
    show(state.at, { play: false });
    return Object.keys(found).length;
  }

  async function loadFile(file) {
    const report = byId("loaded");
    try {
      report.textContent = `${load(await file.text())} lines of ${file.name} loaded.`;
      report.className = "";
    } catch (error) {
      report.textContent = `${file.name}, ${error.message}. Nothing was loaded.`;
      report.className = "fault";
    }
  }

  // --- keys and clicks ------------------------------------------------------------------------------------------
  const actions = {
    a: () => judge("accept"),
    r: () => judge("reject"),
    u: () => judge("unsure"),
    x: () => judge(""),
    p: playNow,
    " ": playNow,
    n: () => move(1),
    arrowright: () => move(1),
    b: () => move(-1),
    arrowleft: () => move(-1),
    g: nextOpen,
    t: () => byId("note").focus(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const target = event.target;
    if (target === byId("note")) {
      if (event.key === "Enter" || event.key === "Escape") target.blur();
      return;
    }
    if (!byId("keys").checked) return;
    const usesIt = event.key === " " ? "button, summary, input, a" : "input[type=file]";
    const arrows = event.key.startsWith("Arrow") && target.matches("audio");
    const action = actions[event.key.toLowerCase()];
    if (!action || arrows || target.matches?.(usesIt) || (event.key === " " && target.matches?.("audio"))) return;
    event.preventDefault();
    action();
  });

  for (const button of document.querySelectorAll("[data-verdict]"))
    button.addEventListener("click", () => judge(button.dataset.verdict));
  byId("play").addEventListener("click", playNow);
  byId("back").addEventListener("click", () => move(-1));
  byId("next").addEventListener("click", () => move(1));
  byId("open").addEventListener("click", nextOpen);
  byId("export").addEventListener("click", download);
  byId("note").addEventListener("input", () => setAnswer(items[state.at], { note: byId("note").value.trim() }));
  byId("import").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) loadFile(file);
    event.target.value = "";
  });

  items.forEach((item, index) => {
    const line = make("li");
    const button = make("button");
    button.type = "button";
    button.dataset.index = index;
    button.addEventListener("click", () => { show(index); byId("card").scrollIntoView(); });
    line.append(button);
    byId("all").append(line);
  });
  restore();
  showProgress();
  show(state.at, { play: false });
})();
