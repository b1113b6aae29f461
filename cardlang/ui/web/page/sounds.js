// Short sounds for cards, chips and the viewer's turn, made by the browser. They are off until the viewer wants them.

import { findMovedCards, listAreas } from "./card_motion.js";
import { isOn } from "./preferences.js";

const VOLUME = 0.2;
const SOUNDS = { // notes: frequency in hertz (0 for noise), start and length in seconds
  card: [[0, 0, 0.07]],
  chip: [[2600, 0, 0.05], [3300, 0.06, 0.08]],
  turn: [[660, 0.2, 0.15], [880, 0.32, 0.25]],
};
let context = null;

// Plays the difference between two tables that the viewer was shown.
export function playChange(before, after) {
  if (!isOn("sound") || !before) return;
  if (findMovedCards(before, after).length) play(SOUNDS.card);
  else if (listFacts(before) !== listFacts(after)) play(SOUNDS.chip);
  if (after.ask && !before.ask) play(SOUNDS.turn);
}

const listFacts = (table) => JSON.stringify(listAreas(table).map((area) => area.facts));

function play(notes) {
  context ??= new AudioContext();
  for (const [frequency, start, length] of notes) {
    const at = context.currentTime + start;
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(VOLUME, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    const source = frequency ? new OscillatorNode(context, { frequency, type: "triangle" }) : new AudioBufferSourceNode(context, { buffer: makeNoise(length) });
    source.connect(volume).connect(context.destination);
    source.start(at);
    source.stop(at + length);
  }
}

function makeNoise(length) {
  const buffer = new AudioBuffer({ length: length * context.sampleRate, sampleRate: context.sampleRate });
  buffer.getChannelData(0).forEach((_, at, samples) => { samples[at] = Math.random() - 0.5; });
  return buffer;
}
