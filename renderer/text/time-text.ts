import type { WindowText } from './window-text.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const localeOf = (text: WindowText): string => (text.language === 'zh' ? 'zh-CN' : 'en-GB');

/** How long ago: relative under 24 h, else the local date. Both wall ms. */
export function agoText(text: WindowText, at: number, now: number): string {
  const ago = now - at;
  if (ago < minute) return text.time.now;
  if (ago < hour) return text.time.minutes(Math.floor(ago / minute));
  if (ago < day) return text.time.hours(Math.floor(ago / hour));
  return dateText(text, at);
}

/** How long until: minutes under an hour, else hours (rounded down, at least one minute). */
export function untilText(text: WindowText, at: number, now: number): string {
  const left = Math.max(minute, at - now);
  return left < hour
    ? text.time.minutes(Math.floor(left / minute))
    : text.time.hours(Math.floor(left / hour));
}

/** Hours and minutes on this machine's clock. */
export function clockText(text: WindowText, at: number): string {
  return new Intl.DateTimeFormat(localeOf(text), { hour: '2-digit', minute: '2-digit' }).format(at);
}

/** A clock time that may be on another day: with the date where it is not within 24 h of now. */
export function momentText(text: WindowText, at: number, now: number): string {
  const clock = clockText(text, at);
  return Math.abs(at - now) < day ? clock : `${dateText(text, at)} ${clock}`;
}

/** The local date. */
export function dateText(text: WindowText, at: number): string {
  return new Intl.DateTimeFormat(localeOf(text), { dateStyle: 'medium' }).format(at);
}

/** The whole moment with its zone, for hover and focus. */
export function fullTimeText(text: WindowText, at: number): string {
  return new Intl.DateTimeFormat(localeOf(text), { dateStyle: 'full', timeStyle: 'long' }).format(at);
}

/** A length of time in seconds, from a minute on in minutes and seconds; below ten seconds with one digit when `exact`. */
export function durationText(text: WindowText, ms: number, exact = false): string {
  const seconds = Math.max(0, ms / 1000);
  if (exact && seconds < 10) return text.seconds(seconds.toFixed(1));
  const whole = Math.floor(seconds);
  if (whole < 60) return text.seconds(String(whole));
  return text.minutesSeconds(Math.floor(whole / 60), whole % 60);
}

/** Money given in millionths of a US dollar. */
export function moneyText(microUsd: number): string {
  const dollars = microUsd / 1_000_000;
  return dollars > 0 && dollars < 0.01 ? '<$0.01' : `$${dollars.toFixed(2).replace(/\.00$/, '')}`;
}
