'use strict';
// The live page. It shows what /api/events tells four times a second of the part of a map that is in view: things one
// by one, or counts of them in blocks where there are too many. Names come from players, so text only ever enters as text.

const $ = id => document.getElementById(id);
const PERIOD = 250; // ms from one event to the next, as net/ops/page has it

// What is shown, and for tests to read.
const page = {
  world: null, map: 0, instance: 0, view: { x: 0, y: 0, scale: 0.1 }, // pixels per yard
  tick: 0, resting: false, events: 0, frames: 0, bytes: 0,
  things: new Map(), blocks: null, selected: null, entity: null, clock: null, ticks: [], systems: [], names: new Map(),
  labels: [], chart: null, times: [],
};
window.page = page;

let source = null, arrived = 0, stale = true, fitting = true, centring = false, connecting = 0;
const grounds = new Map(), spawns = new Map();

// place is the map that is shown: undefined where there is no world to show, as on a gateway that cannot ask those of other processes.
const place = () => page.world.maps.find(m => m.id === page.map);

function element(tag, text, name) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (name) e.className = name;
  return e;
}

const thousands = n => n.toLocaleString('en');

// ---- what the server tells

// connect asks for what is in view, and for the ticks since the last that came.
function connect() {
  source?.close();
  clearTimeout(connecting);
  if (!place()) return;
  const h = place().half, clamp = v => Math.max(-h, Math.min(h, v)).toFixed(1);
  const q = new URLSearchParams({
    map: page.map, instance: page.instance, minx: clamp(worldX(height())), maxx: clamp(worldX(0)), miny: clamp(worldY(width())), maxy: clamp(worldY(0)),
    tick: chart.tick, second: chart.second,
  });
  if (page.selected) q.set('guid', page.selected);
  const mine = source = new EventSource('api/events?' + q);
  mine.onmessage = e => { if (mine === source) took(e.data); };
  mine.onerror = () => {
    if (mine !== source) return;
    $('lost').hidden = false;
    mine.close(); // the next one must ask for the ticks since then
    connecting = setTimeout(connect, 2000);
  };
}

function took(text) {
  const d = JSON.parse(text);
  if (d.map !== page.map || d.instance !== page.instance) return;
  $('lost').hidden = !d.failed;
  $('lost').textContent = d.failed || 'The server does not answer.';
  page.bytes = text.length;
  page.events++;
  if (d.systems) page.systems = d.systems;
  page.resting = !!d.resting; // the last ticks are then from before
  page.step_ms = d.step_ms;
  page.flush_ms = d.flush_ms;
  addTicks(d);
  showClock(d.clock);
  drawChart();
  if (d.failed) return;
  page.tick = d.tick;
  for (const name of ['players', 'awake', 'asleep', 'tick']) $(name).textContent = thousands(d[name]);
  if (page.resting) $('tick').textContent = 'resting';
  for (let i = 0; d.names && i < d.names.length; i += 2) page.names.set(d.names[i], d.names[i + 1]);
  page.blocks = d.blocks ? d : null;
  takeThings(d.things || []);
  if (page.selected) showEntity(d.entity);
  if (fitting && d.tick > 0) { fitting = false; fit(); }
}

// takeThings has things go from where they are shown to where they are.
function takeThings(flat) {
  const before = page.things, t = performance.now(), share = Math.min(1, (t - arrived) / PERIOD);
  page.things = new Map();
  for (let i = 0; i < flat.length; i += 4) {
    const [guid, x, y, what] = flat.slice(i, i + 4);
    const old = before.get(guid);
    const from = old && Math.hypot(old.x - x, old.y - y) < 60 ? [old.fromX + (old.x - old.fromX) * share, old.fromY + (old.y - old.fromY) * share] : [x, y];
    page.things.set(guid, { x, y, fromX: from[0], fromY: from[1], kind: what >> 4, state: what & 15 });
  }
  arrived = t;
}

function frame() {
  requestAnimationFrame(frame);
  page.frames++;
  if (!place()) return;
  if (stale) { drawGround(); drawScale(); }
  if (stale || performance.now() - arrived < 2 * PERIOD) drawThings();
  stale = false;
}

// ---- begin

// worlds are those that can be shown by themselves: a map and the number of an instance, 0 for the only world of a map.
const worlds = () => page.world.maps.flatMap(m => m.instances?.map(instance => [m, instance]) ?? (m.instanced ? [] : [[m, 0]]));

// showMaps has a button for each of them.
function showMaps() {
  const gone = new Map([...$('maps').children].map(b => [b.dataset.world, b]));
  for (const [m, instance] of worlds()) {
    const world = `${m.id}.${instance}`;
    if (gone.delete(world)) continue;
    const b = element('button', instance ? `${m.name} ${instance}` : m.name);
    b.dataset.id = m.id;
    b.dataset.instance = instance;
    b.dataset.world = world;
    b.onclick = () => choose(m.id, instance);
    $('maps').append(b);
  }
  for (const b of gone.values()) b.remove();
  for (const b of $('maps').children) b.ariaPressed = String(Number(b.dataset.id) === page.map && Number(b.dataset.instance) === page.instance);
}

// askInstances asks which instances there are: they begin and end. In a cluster they are among its worlds.
async function askInstances() {
  if (page.world.cluster || !page.world.maps.some(m => m.instanced)) return;
  const r = await fetch('api/world').catch(() => null);
  if (!r?.ok) return;
  page.world.maps = (await r.json()).maps;
  showMaps();
}

// choose shows another map, or an instance of one, and nothing of the one before.
function choose(id, instance = 0) {
  if (!page.world.maps.some(m => m.id === id)) return;
  page.map = id;
  page.instance = instance;
  source?.close();
  page.things = new Map();
  page.blocks = null;
  page.labels = [];
  page.resting = false;
  page.tick = page.step_ms = page.flush_ms = 0;
  for (const name of ['players', 'awake', 'asleep', 'tick']) $(name).textContent = '–';
  $('load').textContent = '';
  clearChart();
  drawChart();
  select(null);
  fitting = true;
  showMaps();
  if (!grounds.has(id)) {
    grounds.set(id, null);
    answer(`api/maps/${id}/ground.png`, async r => createImageBitmap(await r.blob())).then(image => { grounds.set(id, image); stale = true; });
    answer(`api/maps/${id}/spawns`, async r => new Int16Array(await r.arrayBuffer())).then(points => { spawns.set(id, points); stale = true; });
  }
  wholeMap();
}

// answer is what read makes of the response to path, which is asked for every two seconds until that works: a map may be between two processes.
async function answer(path, read) {
  for (;;) {
    try {
      const r = await fetch(path);
      if (r.ok) return await read(r);
    } catch { /* as a response that is not ok */ }
    $('lost').hidden = false;
    await new Promise(done => setTimeout(done, 2000));
  }
}

async function begin() {
  readTheme();
  page.world = await answer('api/world', r => r.json());
  $('release').textContent = page.world.release;
  showMaps();
  $('key').open = innerWidth > 800;
  listenToMap();
  listenToChart();
  listenToClock();
  listenToSessions();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readTheme(); stale = true; });
  for (const [m, instance] of worlds().slice(0, 1)) choose(m.id, instance);
  showSessions();
  showShards();
  setInterval(() => { showSessions(); showNetwork(); showShards(); showFound(); askInstances(); }, 2000);
  requestAnimationFrame(frame);
}

begin();
