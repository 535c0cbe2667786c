/** Parts of a key from this many characters on are taken out too. */
const leastPart = 8;

/**
 * A text from outside with `key` taken out, for `mark`: as it is, URL-encoded, JSON-escaped, in base64 (alone or behind other words
 * such as `Bearer`), and the beginning or end of each of these from 8 characters on. Servers like to repeat what they were sent.
 */
export function withoutKey(text: string, key: string | null, mark = '[key]'): string {
  if (key === null || key === '') return text;
  // The longest first, and whole ones before parts: what is taken out must not leave the rest behind.
  const forms = [...new Set(formsOf(key))].toSorted((one, other) => other.length - one.length);
  const whole = forms.reduce((left, form) => left.replaceAll(form, mark), text);
  return forms
    .filter((form) => form.length > leastPart)
    .reduce((left, form) => withoutEnds(withoutBeginnings(left, form, mark), form, mark), whole);
}

function formsOf(key: string): string[] {
  const encoded = encodeURIComponent(key.toWellFormed());
  const lower = encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const escaped = JSON.stringify(key).slice(1, -1);
  const base64 = [0, 1, 2].flatMap((before) => base64At(key, before));
  return [key, encoded, lower, escaped, escaped.replaceAll('/', '\\/'), ...base64];
}

/** The characters of base64 that follow from the key alone when so many bytes (of three) stand before it. */
function base64At(key: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
  const padded = bytes.toString('base64');
  const whole = padded.replace(/=+$/, '');
  const own = whole.slice(before === 0 ? 0 : before + 1, bytes.length % 3 === 0 ? undefined : -1);
  const forms = before === 0 ? [padded, whole, own] : [own];
  return forms
    .filter((form) => form.length >= leastPart)
    .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

function withoutBeginnings(text: string, form: string, mark: string): string {
  const head = form.slice(0, leastPart);
  let done = '';
  let rest = text;
  for (let at = rest.indexOf(head); at >= 0; at = rest.indexOf(head)) {
    let length = head.length;
    while (length < form.length && rest[at + length] === form[length]) length += 1;
    done += rest.slice(0, at) + mark;
    rest = rest.slice(at + length);
  }
  return done + rest;
}

function withoutEnds(text: string, form: string, mark: string): string {
  const tail = form.slice(-leastPart);
  let done = '';
  let rest = text;
  for (let at = rest.lastIndexOf(tail); at >= 0; at = rest.lastIndexOf(tail)) {
    let length = tail.length;
    while (at > 0 && length < form.length && rest[at - 1] === form.at(-length - 1)) {
      at -= 1;
      length += 1;
    }
    done = mark + rest.slice(at + length) + done;
    rest = rest.slice(0, at);
  }
  return rest + done;
}
