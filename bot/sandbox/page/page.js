// Two windows on the simulated Discord, for the person chosen at the top.
const NOTICE_MS = 6000;
const ANSWER_MS = 3000;
const CHANGED = "The message has just changed. Look again before you press.";
const SILENT = "This interaction failed: the bot didn't answer.";
const ANSWERS = ["response", "deferred", "followup", "message"]; // not "source_edit": that one is in sight
const STOPPED = "The sandbox has stopped.";

const element = (id) => document.getElementById(id);
const people = element("people");
const windows = ["channel", "direct"].map((place) => ({ place, frame: element(place), tab: element(`tab-${place}`) }));
const direct = element("direct");

/** What a reload keeps. `read` has the latest call that each person has seen in each conversation, `scrolled` where each
 * conversation is if it isn't at its end: a message, and the distance of its top from that of the window. `dismissed`
 * are private messages that somebody doesn't want to see any more. */
const NOTHING = { world: null, me: null, place: "channel", help: true, read: {}, scrolled: {}, dismissed: [] };
let memory = { ...NOTHING, ...JSON.parse(sessionStorage.getItem("memory")) };

function remember(news) {
  Object.assign(memory, news);
  sessionStorage.setItem("memory", JSON.stringify(memory));
}

function bring(place) {
  remember({ place });
  for (const window of windows) {
    window.frame.classList.toggle("front", window.place === place);
    window.tab.setAttribute("aria-selected", String(window.place === place));
  }
}

/** A window takes presses only while it shows the person chosen: until it is loaded, they would be lost. */
function showing(frame, context) {
  frame.context = context;
  frame.classList.toggle("loading", !context);
}

function become(person) {
  remember({ me: person.name });
  for (const { place, frame } of windows) {
    const address = `/window#${person[place]}`;
    if (frame.getAttribute("src") === address) continue;
    showing(frame, null);
    frame.isLoading = true; // until then, the window shows somebody else's messages
    frame.setAttribute("src", address);
  }
}

/** Wait until what the present person has just done has been sent: loading another person's windows would cancel it. */
async function idle() {
  const deadline = Date.now() + ANSWER_MS;
  const isBusy = ({ frame }) => frame.contentWindow?.simcordPreview?.pendingAction;
  while (windows.some(isBusy) && Date.now() < deadline) await new Promise((resolve) => { setTimeout(resolve, 50); });
}

function chip(person) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("role", "radio");
  button.append(person.name);
  if (person.moderates) button.append(Object.assign(document.createElement("small"), { textContent: "mod" }));
  button.append(Object.assign(document.createElement("i"), { hidden: true, textContent: "new" }));
  button.addEventListener("click", async () => {
    if (person.name !== memory.me) for (const { frame } of windows) frame.classList.add("loading");
    await idle();
    become(person);
    void refresh();
  });
  return button;
}

/** Whether somebody sees a conversation: side by side, or as the tab in front. */
function isInSight(frame) {
  return getComputedStyle(frame).visibility === "visible" && !document.hidden;
}

/** Whether a person was called in a conversation, by a mention or a direct message, and hasn't seen it. */
function isUnread(person, place) {
  return BigInt(person.calls[place]) > BigInt(memory.read[person.name]?.[place] || 0);
}

function update(world) {
  if (people.childElementCount !== world.people.length) people.replaceChildren(...world.people.map(chip));
  const run = world.people[0].channel; // different each time the sandbox is started
  if (memory.world !== run) remember({ ...NOTHING, world: run, help: memory.help, place: memory.place });
  const present = world.people.find((person) => person.name === memory.me) || world.people[0];
  become(present);
  const seen = windows.filter(({ frame }) => isInSight(frame)).map(({ place }) => [place, present.calls[place]]);
  remember({ read: { ...memory.read, [present.name]: { ...memory.read[present.name], ...Object.fromEntries(seen) } } });
  world.people.forEach((person, index) => {
    const isPresent = person === present;
    people.children[index].setAttribute("aria-checked", String(isPresent));
    people.children[index].querySelector("i").hidden = isPresent || !windows.some(({ place }) => isUnread(person, place));
  });
  for (const { place, tab } of windows) tab.querySelector("i").hidden = !isUnread(present, place);
}

function tell(sentence) {
  const notice = element("notice");
  notice.textContent = sentence;
  notice.hidden = false;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => { notice.hidden = true; }, NOTICE_MS);
}

/** Reload a window whose lease ran out, as happens in a browser that slept for long. */
function revive(frame, state) {
  if (state.authorized) frame.lived = frame.src;
  else if (frame.lived === frame.src) {
    frame.lived = null;
    frame.contentWindow.location.reload();
  }
}

function timelineOf(frame) {
  return frame.contentDocument.getElementById("channel-timeline");
}

/** A window that is at its end stays there while messages grow (`proxy.py`), until somebody scrolls it. */
function toTheEnd(frame) {
  const timeline = timelineOf(frame);
  frame.isAtEnd = true;
  timeline.scrollTop = timeline.scrollHeight;
  rememberPlace(frame, undefined);
}

/** A place is what a reload scrolls to; none is the end. */
function rememberPlace(frame, place) {
  remember({ scrolled: { ...memory.scrolled, [conversation(frame)]: place } });
}

/** Everybody sees the same channel, but has direct messages of their own. */
function conversation(frame) {
  return frame === direct ? `${memory.me}'s` : "channel";
}

function keepPlace(frame) {
  if (!frame.context) return;
  const timeline = timelineOf(frame);
  const sizes = `${timeline.scrollHeight} ${timeline.clientHeight}`;
  const hasGrown = sizes !== frame.sizes; // that scrolls, too, but nobody has meant it
  frame.sizes = sizes;
  if (hasGrown && frame.isAtEnd) return;
  const top = timeline.getBoundingClientRect().top;
  const distance = (message) => message.getBoundingClientRect().top - top;
  frame.isAtEnd = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight <= 1;
  const first = [...timeline.querySelectorAll(".channel-message")].find((each) => each.getBoundingClientRect().bottom > top);
  rememberPlace(frame, frame.isAtEnd || !first ? undefined : { message: first.dataset.messageId, distance: distance(first) });
}

/** The message may be private to somebody else, or deleted: then the next one takes its place. */
function toLastPlace(frame) {
  const place = memory.scrolled[conversation(frame)];
  const timeline = timelineOf(frame);
  const message = place && [...timeline.querySelectorAll(".channel-message")]
    .find((each) => BigInt(each.dataset.messageId) >= BigInt(place.message));
  if (!message) {
    toTheEnd(frame);
    return;
  }
  frame.isAtEnd = false;
  timeline.scrollTop += message.getBoundingClientRect().top - timeline.getBoundingClientRect().top - place.distance;
}

/** Who opens a window with something new is brought to its end. */
function bringToNews(frame, tab) {
  if (!tab.querySelector("i").hidden && frame.context) toTheEnd(frame);
}

/** Whether an action has led to a new message. A deferred edit has no message of its own. */
function isNewMessage(outcome) {
  return ANSWERS.includes(outcome.kind) && Boolean(outcome.messageId);
}

/** What the last action in a window has led to: an answer to look at, or nothing and why. */
function attend(frame, action) {
  if (!["rejected", "settled", "failed"].includes(action.settlement)) return;
  frame.attended = action.requestId;
  if (action.rejected) tell(CHANGED);
  else if (action.acknowledgement === "unacknowledged") tell(SILENT);
  else if (action.outcomes.some(isNewMessage)) toTheEnd(frame);
}

function observe(frame) {
  const state = frame.contentWindow?.simcordPreview;
  if (!state || frame.isLoading) return;
  revive(frame, state);
  if (!state.ready) return;
  if (frame.context !== state.contextId) {
    toLastPlace(frame);
    showing(frame, state.contextId);
  }
  if (state.lastAction && state.lastAction.requestId !== frame.attended) attend(frame, state.lastAction);
}

/** A link to a message leads to it here, as it does in Discord; the address itself would lead out of the sandbox. */
function visit(event) {
  const link = event.target.closest?.("a[href]");
  const [, server, message] = link?.href.match(/^https:\/\/discord\.com\/channels\/(@me|\d+)\/\d+\/(\d+)$/) || [];
  if (!message) return;
  event.preventDefault();
  const place = server === "@me" ? "direct" : "channel";
  bring(place);
  element(place).contentDocument.querySelector(`.channel-message[data-message-id="${message}"]`)
    ?.scrollIntoView({ block: "center", behavior: "smooth" });
}

/** As on Discord, the bot doesn't know which private messages are dismissed. */
function dismiss(event) {
  const message = event.target.closest?.(".dismiss-message")?.closest(".channel-message");
  if (!message) return;
  remember({ dismissed: [...memory.dismissed, message.dataset.messageId] });
  for (const { frame } of windows) hideDismissed(frame);
}

function hideDismissed(frame) {
  const sheet = new frame.contentWindow.CSSStyleSheet();
  for (const message of memory.dismissed) sheet.insertRule(`[data-message-id="${message}"] { display: none; }`);
  frame.contentDocument.adoptedStyleSheets = [sheet];
}

/** Listen to what happens in a window that has just been loaded. */
function listen(frame) {
  frame.contentDocument.addEventListener("click", visit, true);
  frame.contentDocument.addEventListener("click", dismiss, true);
  frame.contentDocument.addEventListener("scroll", () => keepPlace(frame), { capture: true, passive: true });
  hideDismissed(frame);
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
  remember({ help: open });
}

for (const { place, frame, tab } of windows) {
  tab.addEventListener("click", () => { bringToNews(frame, tab); bring(place); void refresh(); });
  frame.addEventListener("load", () => {
    showing(frame, null);
    frame.isLoading = false;
    listen(frame);
  });
}
const steps = document.querySelector("#help details");
steps.open = !matchMedia("(max-width: 800px)").matches;
element("help-open").addEventListener("click", () => { help(element("help").hidden); steps.open = true; });
element("help-close").addEventListener("click", () => help(false));
help(memory.help);
bring(memory.place);
await refresh();
setInterval(refresh, 1000);
setInterval(() => { for (const { frame } of windows) observe(frame); }, 250);
