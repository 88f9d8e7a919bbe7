// Two windows on the simulated Discord, for the person chosen at the top.
const NOTICE_MS = 6000;
const CHANGED = "The message had just changed. Look again, then press again.";
const SILENT = "This interaction failed: the bot did not answer.";
const ANSWERS = ["response", "deferred", "followup", "message"]; // not "source_edit": that one is in sight
const STOPPED = "The sandbox has been stopped.";

const element = (id) => document.getElementById(id);
const people = element("people");
const windows = ["channel", "direct"].map((place) => ({ place, frame: element(place), tab: element(`tab-${place}`) }));
const direct = element("direct");
const read = new Map(); // the latest call that each person has seen
let me = sessionStorage.getItem("me");

function bring(place) {
  for (const window of windows) {
    window.frame.classList.toggle("front", window.place === place);
    window.tab.setAttribute("aria-selected", String(window.place === place));
  }
}

function become(person) {
  me = person.name;
  sessionStorage.setItem("me", me);
  for (const { place, frame } of windows) {
    const address = `/window#${person[place]}`;
    if (frame.getAttribute("src") !== address) frame.setAttribute("src", address);
  }
}

function chip(person) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("role", "radio");
  button.append(person.name, Object.assign(document.createElement("i"), { hidden: true, textContent: "new" }));
  button.addEventListener("click", () => { me = person.name; void refresh(); });
  return button;
}

/** Whether somebody sees the direct messages: side by side, or as the tab in front. */
function directInSight() {
  return getComputedStyle(direct).visibility === "visible" && !document.hidden;
}

function update(world) {
  if (people.childElementCount !== world.people.length) people.replaceChildren(...world.people.map(chip));
  const present = world.people.find((person) => person.name === me) || world.people[0];
  become(present);
  if (directInSight()) read.set(me, present.call);
  world.people.forEach((person, index) => {
    const isCalled = BigInt(person.call) > BigInt(read.get(person.name) || 0);
    people.children[index].setAttribute("aria-checked", String(person.name === me));
    people.children[index].querySelector("i").hidden = !isCalled || person.name === me;
    if (person.name === me) element("tab-direct").querySelector("i").hidden = !isCalled;
  });
}

function tell(sentence) {
  const notice = element("notice");
  notice.textContent = sentence;
  notice.hidden = false;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => { notice.hidden = true; }, NOTICE_MS);
}

/** A window whose lease ran out, in a browser that slept for long, is opened anew. */
function revive(frame, state) {
  if (state.authorized) frame.lived = frame.src;
  else if (frame.lived === frame.src) {
    frame.lived = null;
    frame.contentWindow.location.reload();
  }
}

function toTheEnd(frame) {
  const timeline = frame.contentDocument.getElementById("channel-timeline");
  timeline.scrollTop = timeline.scrollHeight;
}

/** What the last action in a window has led to: an answer to look at, or nothing and why. */
function attend(frame, action) {
  if (!["rejected", "settled", "failed"].includes(action.settlement)) return;
  frame.attended = action.requestId;
  if (action.rejected) tell(CHANGED);
  else if (action.acknowledgement === "unacknowledged") tell(SILENT);
  else if (action.outcomes.some((outcome) => ANSWERS.includes(outcome.kind))) toTheEnd(frame);
}

function observe(frame) {
  const state = frame.contentWindow?.simcordPreview;
  if (!state) return;
  revive(frame, state);
  if (!state.ready) return;
  if (frame.context !== state.contextId) {
    frame.context = state.contextId;
    toTheEnd(frame);
  }
  if (state.lastAction && state.lastAction.requestId !== frame.attended) attend(frame, state.lastAction);
}

/** A link to a message leads to it here, as it does in Discord; the address itself would lead out of the sandbox. */
function follow(event) {
  const link = event.target.closest?.("a[href]");
  const [, server, message] = link?.href.match(/^https:\/\/discord\.com\/channels\/(@me|\d+)\/\d+\/(\d+)$/) || [];
  if (!message) return;
  event.preventDefault();
  const place = server === "@me" ? "direct" : "channel";
  bring(place);
  element(place).contentDocument.querySelector(`.channel-message[data-message-id="${message}"]`)
    ?.scrollIntoView({ block: "center", behavior: "smooth" });
}

async function refresh() {
  try {
    const answer = await fetch("/people", { cache: "no-store" });
    update(await answer.json());
  } catch {
    tell(STOPPED);
  }
}

function help(open) {
  element("help").hidden = !open;
  element("help-open").setAttribute("aria-expanded", String(open));
  sessionStorage.setItem("help", open ? "open" : "closed");
}

for (const { place, frame, tab } of windows) {
  tab.addEventListener("click", () => { bring(place); void refresh(); });
  frame.addEventListener("load", () => frame.contentDocument.addEventListener("click", follow, true));
}
element("help-open").addEventListener("click", () => help(element("help").hidden));
element("help-close").addEventListener("click", () => help(false));
help(sessionStorage.getItem("help") !== "closed");
bring("channel");
await refresh();
setInterval(refresh, 1000);
setInterval(() => { for (const { frame } of windows) observe(frame); }, 250);
