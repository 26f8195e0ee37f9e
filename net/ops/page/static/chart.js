'use strict';
// The chart: for each moment the tick that took longest, stacked by what its systems took. Ten seconds are of single ticks;
// beyond that the longest tick of each second is known.

const SPANS = [['10 s', 10], ['1 min', 60], ['10 min', 600]];
const NAMED = 8; // systems with a colour of their own in the chart: those that take most in what is shown
const AXIS = 15; // pixels below the chart, for the time
const chart = { span: 10, ticks: [], seconds: [], tick: 0, second: -1, columns: [], marked: null };

// colour is always the same for a system: neighbours in the list of systems are far from each other on the wheel of colours.
const colour = i => `hsl(${(i * 137.508 + 215) % 360} 58% ${[52, 40, 64][i % 3]}%)`;

const micros = us => us < 1000 ? `${us.toFixed(0)} µs` : `${(us / 1000).toFixed(us < 10000 ? 2 : 1)} ms`;
const secondsOf = units => units * page.world.unit_ms / 1000;

function clearChart() {
  Object.assign(chart, { ticks: [], seconds: [], tick: 0, second: -1, columns: [], marked: null });
  page.ticks = chart.ticks;
}

// addTicks takes what an event has: ticks as [number, units of its step, µs, µs of each system …], and seconds as
// [ticks, late ones, the longest tick …].
function addTicks(d) {
  if (d.ticks.length && d.ticks[0][0] <= chart.tick) clearChart(); // the server has been started again: its numbers begin anew
  for (const t of d.ticks) chart.ticks.push({ n: t[0], step: t[1], took: t[2], spent: t.slice(3), late: t[2] > t[1] * page.world.unit_ms * 1000 ? 1 : 0, ticks: 1 });
  for (const s of d.seconds) chart.seconds.push({ n: s[2], step: s[3], took: s[4], spent: s.slice(5), late: s[1], ticks: s[0] });
  chart.tick = chart.ticks.at(-1)?.n ?? chart.tick;
  chart.second = d.second;
  const begin = chart.tick - SPANS[0][1] * 1000 / page.world.unit_ms, old = chart.tick - SPANS.at(-1)[1] * 1000 / page.world.unit_ms;
  chart.ticks.splice(0, chart.ticks.findIndex(t => t.n > begin));
  chart.seconds.splice(0, Math.max(0, chart.seconds.findIndex(s => s.n > old)));
  page.ticks = chart.ticks;
}

// shown are the points of the time that is shown, with ticks of the second that is not over yet.
function shown() {
  if (chart.span === SPANS[0][1]) return chart.ticks;
  const from = chart.tick - chart.span * 1000 / page.world.unit_ms, whole = chart.seconds.filter(s => s.n > from);
  const until = (chart.second + 1) * 1000 / page.world.unit_ms;
  return whole.concat(chart.ticks.filter(t => t.n >= until));
}

// layOut gives each column of pixels the longest tick in it; none is left out but for a longer one in the same column.
function layOut(points, w) {
  const units = chart.span * 1000 / page.world.unit_ms, columns = new Map();
  for (const p of points) {
    const wide = Math.max(2, Math.min(8, (chart.span > SPANS[0][1] && p.ticks > 1 ? 1000 / page.world.unit_ms : p.step) / units * w));
    const x = Math.round(w - (chart.tick - p.n) / units * w - wide), old = columns.get(x);
    if (!old) columns.set(x, { x, wide, p, late: p.late });
    else {
      old.late += p.late;
      if (p.took > old.p.took) old.p = p;
    }
  }
  return [...columns.values()].sort((a, b) => a.x - b.x);
}

// scaleOf is the end of the axis: a round number beyond all but the longest hundredth, so that one spike does not flatten the rest.
function scaleOf(points) {
  const sorted = points.map(p => p.took).sort((a, b) => a - b), at = p => sorted[Math.floor((sorted.length - 1) * p)];
  let high = 100;
  for (const next of [200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 1e7]) if (high < at(0.99) * 1.3) high = next;
  return { high, p50: at(0.5), p99: at(0.99), most: sorted.at(-1) };
}

function drawChart() {
  const c = prepare($('chart')), w = $('chart').clientWidth, h = $('chart').clientHeight - AXIS, points = page.world ? shown() : [];
  chart.columns = points.length ? layOut(points, w) : [];
  drawTimes(c, w, h);
  if (!points.length) {
    $('took').textContent = page.resting ? 'this map has no players and is not stepped' : 'no ticks yet';
    $('systems').replaceChildren();
    $('at').textContent = '';
    return;
  }
  const mean = page.systems.map((_, i) => points.reduce((sum, p) => sum + p.spent[i], 0) / points.length);
  const top = mean.map((_, i) => i).sort((a, b) => mean[b] - mean[a]).slice(0, NAMED).sort((a, b) => a - b);
  const { high, p50, p99, most } = scaleOf(points), budget = (page.step_ms || page.world.step_ms) * 1000;
  const pixels = us => Math.min(us / high, 1) * (h - 18);
  for (const { x, wide, p, late } of chart.columns) {
    let y = h, room = pixels(p.took);
    const bar = (us, fill) => {
      const tall = Math.min(room, pixels(us));
      c.fillStyle = fill;
      c.fillRect(x, y -= tall, wide * 0.9, tall);
      room -= tall;
    };
    for (const i of top) bar(p.spent[i], colour(i));
    bar(p.took, ink.asleep);
    c.fillStyle = ink.fighting;
    if (late) c.fillRect(x, h, Math.max(2, wide * 0.9), 3);
    if (p.took > high) cap(c, x + wide / 2, h - pixels(high));
  }
  drawBudget(c, w, h - pixels(budget), budget, budget > high);
  c.fillStyle = ink.faint;
  c.font = '11px system-ui, sans-serif';
  c.fillText(micros(high), 0, 12);
  if (chart.marked) drawMarked(c, w, h);
  $('took').textContent = `p50 ${micros(p50)} · p99 ${micros(p99)} · longest ${micros(most)}${chart.span > 10 ? ' of the longest of each second' : ''}`
    + (page.resting ? '; this map has no players and is not stepped' : page.flush_ms ? `; a step is ${page.step_ms} ms, sent every ${page.flush_ms} ms` : '');
  page.chart = { high, most, budget, top, beyond: chart.columns.filter(column => column.p.took > high).length };
  showSystems(top, mean);
}

// cap marks a bar that ends beyond the axis.
function cap(c, x, y) {
  c.beginPath();
  c.moveTo(x - 4, y);
  c.lineTo(x + 4, y);
  c.lineTo(x, y - 6);
  c.fill();
}

function drawBudget(c, w, y, budget, above) {
  c.strokeStyle = ink.ink;
  c.lineWidth = 1;
  c.setLineDash([4, 3]);
  c.beginPath();
  c.moveTo(0, y + 0.5);
  c.lineTo(w, y + 0.5);
  c.stroke();
  c.setLineDash([]);
  c.fillStyle = ink.ink;
  c.font = '11px system-ui, sans-serif';
  const text = above ? `step ${micros(budget)}, above` : `step ${micros(budget)}`;
  c.fillText(text, w - c.measureText(text).width, y - 4 < 10 ? 12 : y - 4);
}

// drawTimes draws the axis of time, which ends with the last tick.
function drawTimes(c, w, h) {
  c.fillStyle = ink.faint;
  c.font = '11px system-ui, sans-serif';
  c.fillRect(0, h, w, 1);
  page.times = [];
  for (let i = 0; i <= 4; i++) {
    const ago = chart.span * (4 - i) / 4, x = w * i / 4;
    const text = !ago ? 'now' : ago < 60 ? `−${ago} s` : `−${ago / 60} min`, wide = c.measureText(text).width;
    c.fillRect(Math.min(x, w - 1), h, 1, 4);
    c.fillText(text, Math.max(0, Math.min(w - wide, x - wide / 2)), h + AXIS - 1);
    page.times.push(text);
  }
}

// drawMarked draws a line at the tick that is marked, until that is older than what is shown.
function drawMarked(c, w, h) {
  const ago = secondsOf(chart.tick - chart.marked.n);
  if (ago > chart.span) return void (chart.marked = null);
  c.fillStyle = ink.accent;
  c.fillRect(Math.round(w - ago / chart.span * w) - 1, 16, 1, h - 16);
}

// showSystems is the legend: means of what is shown, or what the systems took in the tick that is marked.
function showSystems(top, mean) {
  const p = chart.marked, of = p ? p.spent : mean, total = p ? p.took : null;
  const item = (fill, name, us) => {
    const li = element('li'), i = element('i');
    i.style.background = fill;
    li.append(i, name, element('b', micros(us)));
    return li;
  };
  const inTop = top.reduce((sum, i) => sum + of[i], 0), others = p ? Math.max(0, total - inTop) : of.reduce((sum, us) => sum + us, 0) - inTop;
  $('systems').replaceChildren(...top.toSorted((a, b) => of[b] - of[a]).map(i => item(colour(i), page.systems[i], of[i])), item(ink.asleep, 'others', others));
  if (!p) return void ($('at').textContent = '');
  const ago = secondsOf(chart.tick - p.n), late = p.ticks > 1 ? `; ${p.late} of ${p.ticks} in its second were late` : p.late ? ', late' : '';
  $('at').textContent = `tick ${thousands(p.n)}, ${ago.toFixed(ago < 10 ? 2 : 0)} s ago: ${micros(p.took)}, in a step of ${p.step * page.world.unit_ms} ms${late}`;
}

function mark(p) {
  chart.marked = p;
  drawChart();
}

function listenToChart() {
  const canvas = $('chart');
  const under = e => {
    let best = null;
    for (const column of chart.columns) if (!best || Math.abs(column.x + column.wide / 2 - e.offsetX) < Math.abs(best.x + best.wide / 2 - e.offsetX)) best = column;
    if (best) mark(best.p);
  };
  canvas.addEventListener('pointermove', under);
  canvas.addEventListener('pointerdown', under);
  canvas.addEventListener('pointerleave', e => { if (e.pointerType === 'mouse') mark(null); });
  canvas.addEventListener('keydown', e => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (e.key === 'Escape') return mark(null);
    if (!by || !chart.columns.length) return;
    e.preventDefault();
    const all = chart.columns.map(column => column.p), n = chart.marked?.n;
    mark((by < 0 ? all.findLast(p => !(p.n >= n)) : all.find(p => p.n > n)) || chart.marked || all.at(-1));
  });
  for (const [name, seconds] of SPANS) {
    const b = element('button', name);
    b.onclick = () => {
      chart.span = seconds;
      for (const other of $('spans').children) other.ariaPressed = String(other === b);
      mark(null);
    };
    b.ariaPressed = String(seconds === chart.span);
    $('spans').append(b);
  }
}
