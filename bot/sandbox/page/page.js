// Two windows on the simulated Discord, for the person chosen at the top.
const element = (id) => document.getElementById(id);
const people = element("people");
const frames = { channel: element("channel"), direct: element("direct") };
const tabs = { channel: element("tab-channel"), direct: element("tab-direct") };
const read = new Map(); // how many direct messages each person has seen
let me = sessionStorage.getItem("me");
let front = "channel";

function show(place) {
  front = place;
  for (const [name, frame] of Object.entries(frames)) {
    frame.classList.toggle("front", name === place);
    tabs[name].setAttribute("aria-selected", String(name === place));
  }
}

function open(frame, capability) {
  const address = `/window#${capability}`;
  if (frame.getAttribute("src") !== address) frame.setAttribute("src", address);
}

function become(person) {
  me = person.name;
  sessionStorage.setItem("me", me);
  for (const place of ["channel", "direct"]) open(frames[place], person[place]);
}

function chip(person) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("role", "radio");
  button.textContent = person.name;
  const mark = Object.assign(document.createElement("i"), { hidden: true, textContent: "new" });
  button.append(" ", mark);
  button.addEventListener("click", () => { me = person.name; void refresh(); });
  return button;
}

/** Whether the direct messages are in sight: side by side, or the tab in front. */
function directInSight() {
  return getComputedStyle(frames.direct).visibility === "visible" && !document.hidden;
}

function update(world) {
  if (people.childElementCount !== world.people.length) people.replaceChildren(...world.people.map(chip));
  const present = world.people.find((person) => person.name === me) || world.people[0];
  become(present);
  if (directInSight()) read.set(me, present.letters);
  world.people.forEach((person, index) => {
    const unread = person.letters > (read.get(person.name) || 0);
    people.children[index].setAttribute("aria-checked", String(person.name === me));
    people.children[index].querySelector("i").hidden = !unread || person.name === me;
    if (person.name === me) tabs.direct.querySelector("i").hidden = !unread;
  });
}

/** A window whose lease has run out, in a tab that slept for long, is opened anew. */
function revive() {
  for (const frame of Object.values(frames)) {
    const state = frame.contentWindow?.simcordPreview;
    if (state?.authorized) frame.dataset.lived = frame.src;
    else if (state && frame.dataset.lived === frame.src) {
      delete frame.dataset.lived;
      frame.contentWindow.location.reload();
    }
  }
}

async function refresh() {
  try {
    const answer = await fetch("/people", { cache: "no-store" });
    update(await answer.json());
    revive();
    document.title = "Lilypad sandbox";
  } catch {
    document.title = "Lilypad sandbox (stopped)";
  }
}

function help(open) {
  element("help").hidden = !open;
  element("help-open").setAttribute("aria-expanded", String(open));
}

for (const place of ["channel", "direct"]) tabs[place].addEventListener("click", () => { show(place); void refresh(); });
element("help-open").addEventListener("click", () => help(element("help").hidden));
element("help-close").addEventListener("click", () => help(false));
show(front);
await refresh();
setInterval(refresh, 1000);
