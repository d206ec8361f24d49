"use strict";
(() => {
  const PAGE = 100;
  const by = (id) => document.getElementById(id);
  const made = (name, text, className) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text; // never innerHTML: rows are text
    if (className) element.className = className;
    return element;
  };

  const unpacked = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };

  const [ID, INPUT, OUTPUT, EXPECTED, FAULT, ABOUT, SCORES, TOLD] = [0, 1, 2, 3, 4, 5, 6, 7];

  const begin = (held) => {
    const { scorers, rows } = held;
    const table = by("table"), head = table.tHead, body = table.tBodies[0];
    const words = rows.map((row) => [row[ID], row[INPUT], row[OUTPUT], row[EXPECTED], row[FAULT], row[ABOUT], ...row[TOLD]].join("\n").toLowerCase());
    const best = scorers.map((scorer, at) => {
      const numbers = rows.map((row) => row[SCORES][at]).filter((each) => typeof each === "number");
      const pick = (a, b) => (scorer.better === "higher" ? (b > a ? b : a) : b < a ? b : a);
      return numbers.length ? numbers.reduce(pick) : null;
    });
    let sorted = null, descending = false, first = 0, found = rows.map((_, at) => at);

    const shown = (score) => (score === null ? "—" : typeof score === "number" ? String(Number(score.toPrecision(4))) : score);
    const key = (at) => (sorted < 0 ? rows[at][ID] : rows[at][SCORES][sorted]);
    const rank = (value) => (typeof value === "number" ? 0 : value === "failed" ? 1 : value === null ? 3 : 2);
    const names = new Intl.Collator(undefined, { numeric: true }); // made once: to compare with one is cheap
    const order = (a, b) => {
      const x = key(a), y = key(b);
      if (sorted < 0) return (descending ? -1 : 1) * names.compare(x, y) || a - b;
      if (rank(x) || rank(y)) return rank(x) - rank(y) || a - b; // what has no score comes last
      return (descending ? y - x : x - y) || a - b;
    };

    const keeps = (only) => (at) => {
      const row = rows[at];
      if (!only) return true;
      if (only === "failed") return row[FAULT] !== "" || row[SCORES].includes("failed");
      if (only === "worst") return row[SCORES].some((score, s) => typeof score === "number" && score !== best[s]);
      return row[SCORES].includes(only);
    };

    const details = (row) => {
      const list = made("dl");
      const add = (name, value) => {
        if (!value) return;
        list.append(made("dt", name));
        const cell = made("dd"), text = made("div", value, "said");
        text.dir = "auto";
        cell.append(text);
        list.append(cell);
      };
      add("input", row[INPUT]);
      add("output", row[OUTPUT]);
      add("expected", row[EXPECTED]);
      add("the target failed", row[FAULT]);
      add("tags, group", row[ABOUT]);
      scorers.forEach((scorer, at) => add(`${scorer.id} ${shown(row[SCORES][at])}`, row[TOLD][at] || (row[SCORES][at] === null ? "" : "no reason")));
      return list;
    };

    const line = (row) => {
      const tr = made("tr"), name = made("th"), open = made("button", row[ID]);
      name.scope = "row";
      open.type = "button";
      open.dir = "auto";
      open.setAttribute("aria-expanded", "false");
      open.addEventListener("click", () => {
        const is = open.getAttribute("aria-expanded") === "true";
        open.setAttribute("aria-expanded", String(!is));
        if (is) return tr.nextElementSibling.remove();
        const more = made("tr", undefined, "open"), cell = made("td");
        cell.colSpan = tr.cells.length;
        cell.append(details(row));
        more.append(cell);
        tr.after(more);
      });
      name.append(open);
      tr.append(name);
      for (const score of row[SCORES]) {
        tr.append(made("td", shown(score), score === "failed" ? "n bad" : score === "not scorable" ? "n odd" : "n"));
      }
      for (const text of [row[INPUT], row[FAULT] ? `failed: ${row[FAULT]}` : row[OUTPUT]]) {
        const cell = made("td", undefined, "cut"), held = made("bdi", text.slice(0, 160));
        held.dir = "auto";
        cell.append(held);
        tr.append(cell);
      }
      return tr;
    };

    const draw = () => {
      body.replaceChildren(...found.slice(first, first + PAGE).map((at) => line(rows[at])));
      const last = Math.min(first + PAGE, found.length);
      by("count").textContent = `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
      by("where").textContent = found.length ? `${first + 1} to ${last}` : "none";
      by("before").disabled = first === 0;
      by("after").disabled = last >= found.length;
    };

    const refresh = () => {
      const wanted = by("find").value.trim().toLowerCase();
      const kept = keeps(by("only").value);
      found = rows.map((_, at) => at).filter((at) => (!wanted || words[at].includes(wanted)) && kept(at));
      if (sorted !== null) found.sort(order);
      first = 0;
      draw();
    };

    const heads = made("tr");
    const column = (name, at) => {
      const th = made("th", undefined, at >= 0 ? "n" : "");
      th.scope = "col";
      const sort = made("button", name);
      sort.type = "button";
      sort.dir = "auto";
      sort.addEventListener("click", () => {
        descending = sorted === at && !descending;
        sorted = at;
        for (const other of heads.cells) other.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", descending ? "descending" : "ascending");
        refresh();
      });
      th.append(sort);
      heads.append(th);
    };
    column("row", -1);
    scorers.forEach((scorer, at) => column(scorer.id, at));
    for (const name of ["input", "output"]) {
      const th = made("th", name);
      th.scope = "col";
      heads.append(th);
    }
    head.append(heads);

    by("controls").addEventListener("submit", (event) => event.preventDefault());
    let waiting = 0;
    by("find").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(refresh, 120);
    });
    by("only").addEventListener("change", refresh);
    by("before").addEventListener("click", () => { first = Math.max(first - PAGE, 0); draw(); });
    by("after").addEventListener("click", () => { first += PAGE; draw(); });
    draw();
    for (const id of ["table", "controls", "pages"]) by(id).hidden = false;
    by("state").remove();
  };

  const failed = () => { by("state").textContent = "The rows could not be unpacked: this browser is too old for it."; };
  if (typeof DecompressionStream === "undefined") failed();
  else unpacked(by("packed").textContent).then(begin).catch(failed);
})();
