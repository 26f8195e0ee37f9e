'use strict';
// The side: the clock, what is selected with all its components, and the sessions.

const opened = new Set(['Position', 'Vitals', 'Object']);

function showClock(clock) {
  page.clock = clock;
  $('clock').hidden = !clock.virtual;
  $('pause').textContent = clock.speed ? 'pause' : 'run';
  $('now').textContent = `${(clock.now_ms / 1000 || 0).toFixed(2)} s`;
}

async function turn(order) {
  const r = await fetch('api/clock', { method: 'POST', body: JSON.stringify(order) });
  if (r.ok) showClock(await r.json());
}

function listenToClock() {
  $('pause').onclick = () => turn(page.clock.speed ? { do: 'pause' } : { do: 'run', speed: Number($('speed').value) });
  $('step').onclick = () => turn({ do: 'step' });
  $('speed').onchange = () => { if (page.clock.speed) turn({ do: 'run', speed: Number($('speed').value) }); };
}

// ---- what is selected

function select(guid) {
  page.selected = guid;
  page.entity = null;
  stale = true;
  $('entity').hidden = !guid;
  $('who').textContent = guid ? page.names.get(guid) || guid : '';
  $('guid').textContent = $('network').textContent = '';
  $('components').replaceChildren();
  for (const tr of $('sessions').children) tr.classList.toggle('selected', tr.dataset.guid === guid);
  if (guid && matchMedia('(max-width: 800px)').matches) $('entity').scrollIntoView({ block: 'nearest' });
  connect();
  showNetwork();
}

// text writes a value: numbers as they are, runs of zeros in an array as one.
function text(v) {
  if (typeof v === 'number') return Number.isInteger(v) ? String(v) : v.toFixed(3).replace(/\.?0+$/, '');
  if (Array.isArray(v)) {
    const out = [];
    for (let i = 0, n; i < v.length; i += n) {
      for (n = 1; v[i] === 0 && v[i + n] === 0;) n++;
      out.push(n > 2 ? `0 (${n} times)` : Array(n).fill(text(v[i])).join(' '));
    }
    return out.join(v.some(x => typeof x === 'object') ? ' · ' : ' ') || '–';
  }
  if (v && typeof v === 'object') return Object.entries(v).map(([k, x]) => `${k} ${text(x)}`).join(', ');
  return String(v);
}

// rank brings to the top what tells most.
const FIRST = ['Position', 'Vitals', 'Object', 'Unit', 'Motion', 'Walk'];
const rank = c => FIRST.includes(c.name) ? FIRST.indexOf(c.name) : FIRST.length;

// showEntity shows all components of the one that is selected; what has changed since the last event is coloured.
function showEntity(e) {
  page.entity = e;
  e?.components.sort((a, b) => rank(a) - rank(b));
  if (!e) {
    $('who').textContent = 'gone';
    return;
  }
  if (centring) {
    centring = false;
    [page.view.x, page.view.y] = [e.x, e.y];
    moved();
  }
  $('who').textContent = e.name || e.kind;
  $('guid').textContent = [e.guid, e.kind, ...e.state].join(' · ');
  const list = $('components'), same = list.childElementCount === e.components.length;
  if (!same) list.replaceChildren();
  e.components.forEach((c, i) => {
    let d = list.children[i];
    if (!d) {
      d = element('details');
      d.dataset.name = c.name;
      d.open = opened.has(c.name);
      d.addEventListener('toggle', () => opened[d.open ? 'add' : 'delete'](c.name));
      d.append(element('summary', c.name), element('dl'));
      for (const field of Object.keys(c.fields)) d.lastElementChild.append(element('dt', field), element('dd'));
      list.append(d);
    }
    Object.values(c.fields).forEach((v, k) => {
      const dd = d.lastElementChild.children[2 * k + 1], now = text(v);
      dd.className = dd.textContent && dd.textContent !== now ? 'changed' : '';
      if (dd.textContent !== now) dd.textContent = now;
    });
  });
}

// ---- sessions

const bytes = n => n < 1000 ? `${n} B` : n < 1e6 ? `${(n / 1000).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
const COLUMNS = [ // name, what the server sorts by, how it is written
  ['name', 'name', s => s.name], ['level', 'level', s => s.level], ['map', 'map', s => page.world.maps.find(m => m.id === s.map)?.name ?? s.map],
  ['in', 'in', s => bytes(s.in_bytes)], ['out', 'out', s => bytes(s.out_bytes)], ['queued', 'queued', s => bytes(s.queued_bytes)],
  ['waits', 'waits', s => s.waits_ms ? `${thousands(s.waits_ms)} ms` : '–'], ['account', 'account', s => s.account], ['address', 'address', s => s.address],
];
const sessions = { sort: 'name', desc: false, n: 100, asked: 0, before: null };
const guidOf = session => '0x' + BigInt(session.guid).toString(16);

// showSessions lists players in worlds, with what goes over their connections.
async function showSessions() {
  const mine = ++sessions.asked;
  const q = new URLSearchParams({ q: $('search').value.trim(), sort: sessions.sort, n: sessions.n });
  if (sessions.desc) q.set('desc', 1);
  const r = await fetch('api/sessions?' + q).catch(() => null);
  if (!r?.ok || mine !== sessions.asked) return;
  const d = await r.json();
  for (const s of d.sessions) page.names.set(guidOf(s), s.name);
  $('online').textContent = d.found === d.total ? thousands(d.total) : `${thousands(d.found)} of ${thousands(d.total)}`;
  const rows = new Map([...$('sessions').children].map(tr => [tr.dataset.guid, tr])); // kept, so that focus is
  d.sessions.forEach((s, i) => {
    const tr = rows.get(guidOf(s)) || newRow(guidOf(s));
    rows.delete(guidOf(s));
    tr.session = s;
    tr.classList.toggle('selected', guidOf(s) === page.selected);
    COLUMNS.forEach(([, , write], k) => {
      const cell = k ? tr.children[k] : tr.firstElementChild.firstElementChild, now = String(write(s));
      if (cell.textContent !== now) cell.textContent = now;
    });
    if ($('sessions').children[i] !== tr) $('sessions').insertBefore(tr, $('sessions').children[i] || null);
  });
  for (const tr of rows.values()) tr.remove();
  const left = d.found - d.sessions.length;
  $('more').hidden = left <= 0 || sessions.n >= 1000;
  $('more').textContent = `show more, of ${thousands(left)} that are left`;
  if (left > 0 && sessions.n >= 1000) $('online').textContent += ', the first 1,000: search for others';
}

function newRow(guid) {
  const tr = element('tr'), b = element('button');
  tr.dataset.guid = guid;
  COLUMNS.forEach(([name], k) => tr.append(element('td', k ? '' : undefined, k === 0 || ['map', 'address'].includes(name) ? '' : 'number')));
  tr.firstElementChild.append(b);
  b.onclick = () => goTo(tr.session);
  return tr;
}

// showNetwork is what goes over the connection of the player that is selected.
async function showNetwork() {
  const guid = page.selected, name = guid && page.names.get(guid);
  if (!name) return;
  const r = await fetch('api/sessions?' + new URLSearchParams({ q: name })).catch(() => null), now = performance.now();
  const s = r?.ok && (await r.json()).sessions.find(s => guidOf(s) === guid), was = sessions.before;
  if (!s || guid !== page.selected) return;
  const rate = (field, text) => was?.guid === guid ? `${text}, ${bytes(Math.round((s[field] - was.s[field]) / (now - was.now) * 1000))}/s` : text;
  $('network').textContent = `received ${rate('in_bytes', bytes(s.in_bytes))}; sent ${rate('out_bytes', bytes(s.out_bytes))}; queued ${bytes(s.queued_bytes)}`
    + (s.waits_ms ? ` for ${thousands(s.waits_ms)} ms` : '');
  sessions.before = { guid, s, now };
}

// goTo shows where a session's player is, and all of it. The instance is that of its world: in a cluster if it is known, else the server is asked.
async function goTo(session) {
  let instance = session.instance;
  if (instance === undefined && !page.world.cluster && page.world.maps.some(m => m.id === session.map && m.instanced)) {
    const r = await fetch('api/entity/' + guidOf(session)).catch(() => null);
    if (!r?.ok) return; // it is on its way into a world, or out of one
    instance = (await r.json()).instance;
  }
  if (session.map !== page.map || (instance ?? page.instance) !== page.instance) choose(session.map, instance);
  fitting = false;
  centring = true;
  page.view.scale = Math.max(page.view.scale, 3);
  select(guidOf(session));
}

function listenToSessions() {
  for (const [name, by] of COLUMNS) {
    const th = element('th'), b = element('button', name);
    th.scope = 'col';
    b.onclick = () => {
      sessions.desc = sessions.sort === by ? !sessions.desc : !['name', 'map', 'address', 'account'].includes(by);
      sessions.sort = by;
      for (const other of $('head').children) other.removeAttribute('aria-sort');
      th.ariaSort = sessions.desc ? 'descending' : 'ascending';
      showSessions();
    };
    if (by === sessions.sort) th.ariaSort = 'ascending';
    th.append(b);
    $('head').append(th);
  }
  $('search').oninput = () => { sessions.n = 100; showSessions(); searchPlayers(); };
  document.addEventListener('visibilitychange', showFound);
  $('more').onclick = () => { sessions.n = Math.min(1000, sessions.n * 3); showSessions(); };
  $('close').onclick = () => { select(null); $('things').focus({ preventScroll: true }); };
  $('entity').addEventListener('keydown', e => { if (e.key === 'Escape') $('close').click(); });
}
