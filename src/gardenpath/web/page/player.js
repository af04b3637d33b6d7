/** The player: slider and buttons that go from step to step. */

import { icon } from "./icons.js";

/**
 * The controlled derivation: its number of steps, its current step, and a function that goes to a step.
 * @typedef {{length: number, step: number, go: (k: number) => void}} Played
 */

export class Player {
  /**
   * @param {HTMLElement} root contains the buttons `data-go`, the slider, the count and the speed
   * @param {() => Played} played
   */
  constructor(root, played) {
    this.played = played;
    this.timer = 0;
    this.slider = /** @type {HTMLInputElement} */ (root.querySelector("[data-part=slider]"));
    this.count = /** @type {HTMLOutputElement} */ (root.querySelector("[data-part=count]"));
    this.speed = /** @type {HTMLSelectElement} */ (root.querySelector("[data-part=speed]"));
    /** @type {Record<string, Element>} */
    this.buttons = {};
    for (const button of root.querySelectorAll("[data-go]")) this.buttons[button.getAttribute("data-go")] = button;
    for (const [name, button] of Object.entries(this.buttons)) {
      button.append(icon(name));
      button.addEventListener("click", () => this.press(name));
    }
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.speed.addEventListener("change", () => this.timer && this.play());
  }

  /** @param {string} name first, previous, play, next or last */
  press(name) {
    const { step, length } = this.played();
    if (name === "play") return this.timer ? this.pause() : this.play();
    return this.goTo({ first: 0, previous: step - 1, next: step + 1, last: length }[name] ?? step);
  }

  /** Stop playing and go to a step. @param {number} k */
  goTo(k) {
    this.pause();
    this.played().go(k);
  }

  play() {
    this.pause();
    const { step, length, go } = this.played();
    if (step >= length) go(0);
    this.timer = window.setInterval(() => this.tick(), Number(this.speed.value));
    this.showPlay(true);
  }

  tick() {
    const { step, length, go } = this.played();
    go(step + 1);
    if (step + 1 >= length) this.pause();
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.showPlay(false);
  }

  /** @param {boolean} playing */
  showPlay(playing) {
    this.buttons.play.replaceChildren(icon(playing ? "pause" : "play"));
    this.buttons.play.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  /** Show the current step. @param {string} says the step in words, for the slider */
  show(says) {
    const { step, length } = this.played();
    this.slider.max = String(length);
    this.slider.value = String(step);
    this.slider.setAttribute("aria-valuetext", says);
    this.count.textContent = `step ${step} of ${length}`;
    for (const name of ["first", "previous"]) disable(this.buttons[name], step === 0);
    for (const name of ["next", "last"]) disable(this.buttons[name], step === length);
  }
}

/**
 * Disable a button without removing the focus, so that the keys keep working.
 * @param {Element} button
 * @param {boolean} off
 */
const disable = (button, off) => button.setAttribute("aria-disabled", String(off));
