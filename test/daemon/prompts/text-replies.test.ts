import { describe, expect, it } from 'vitest';
import { PromptBroker } from '../../../electron/daemon/prompts/broker.ts';
import { viewersSurface } from '../../../electron/daemon/prompts/viewers-surface.ts';
import { DaemonRig } from '../support/daemon-rig.ts';
import { TextPhone } from '../support/text-phone.ts';

type Change = Parameters<DaemonRig['ask']>[2];

async function setting() {
  const rig = new DaemonRig();
  const broker = new PromptBroker(rig);
  const phone = new TextPhone();
  await broker.register(viewersSurface);
  await broker.register(phone);
  let sessions = 0;
  const ask = async (text: string, change: Change = {}) => {
    sessions += 1;
    const asked = await rig.ask((await rig.session(`s${sessions}`)).id, text, change);
    await rig.settle();
    return { ...asked, message: String(phone.ours.length - 1) };
  };
  const verdictOf = async (prompt: string) => (await rig.store.prompt(prompt))?.verdict ?? null;
  const say = async (text: string, repliesTo: string | null = null) => {
    const taken = await phone.say(broker, text, repliesTo);
    await rig.settle();
    return taken;
  };
  return { phone, ask, say, verdictOf };
}

const colours = { kind: 'question', options: ['Red', 'Blue'] } as const;

describe('a chat that shows and takes text', () => {
  it('shows what would run and what to reply, and takes yes and no with the code', async () => {
    const { phone, ask, say, verdictOf } = await setting();
    const [allowed, refused] = [await ask('git push'), await ask('rm x')];
    const taken = [await say(` YES ${allowed.code.toUpperCase()} `), await say(`n ${refused.code}`)];
    expect([phone.ours, taken, await verdictOf(allowed.prompt), await verdictOf(refused.prompt)]).toEqual([
      [
        `Kairos needs to run: git push\nReply: yes ${allowed.code} or no ${allowed.code}`,
        `Kairos needs to run: rm x\nReply: yes ${refused.code} or no ${refused.code}`,
      ],
      ['accepted: Allowed once: Bash: git push', 'accepted: Denied: Bash: rm x'],
      { behavior: 'allow', scope: 'once' },
      { behavior: 'deny' },
    ]);
  });

  it('says that a long command is cut, and only a no counts there', async () => {
    const { phone, ask, say } = await setting();
    const { code } = await ask(`echo ${'x'.repeat(400)}`);
    const taken = [await say(`yes ${code}`), await say(`no ${code}`)];
    expect([phone.ours[0]?.split('\n')[1], taken.map((text) => text.split(':')[0])]).toEqual([
      `Too long to show here whole: reply no ${code}, or allow it in the window.`,
      ['not_allowed', 'accepted'],
    ]);
  });

  it.each(['yes', 'y', 'A', '1', 'ok', 'Bash: git push'])(
    'never takes the bare text "%s" for an approval',
    async (text) => {
      const { phone, ask, say, verdictOf } = await setting();
      const { prompt, message } = await ask('git push');
      const taken = [await say(text), await say(text, message)];
      expect([taken, phone.messages, await verdictOf(prompt)]).toEqual([
        ['message', 'message'],
        [text, text],
        null,
      ]);
    },
  );

  it('an approval is not allowed by an answer under its code', async () => {
    const { ask, say, verdictOf } = await setting();
    const { code, prompt } = await ask('git push');
    expect([await say(`${code} A`), await verdictOf(prompt)]).toEqual([
      'not_allowed: This asks for allow or deny.',
      null,
    ]);
  });

  it('shows the options of a question by letters and how to answer', async () => {
    const { phone, ask } = await setting();
    const { code } = await ask('Which?', colours);
    expect(phone.ours).toEqual([
      `Kairos asks: Which?\nA) Red\nB) Blue\nReply: ${code} A, or reply to this message in your own words`,
    ]);
  });

  it.each([
    ['a letter', () => 'b', 'Blue'],
    ['a number', () => '2', 'Blue'],
    ['a label', () => 'blue', 'Blue'],
    ['the code and a letter', (code: string) => `${code} B`, 'Blue'],
    ['the code and own words', (code: string) => `${code.toUpperCase()} neither of them`, 'neither of them'],
  ])('takes %s for the answer to the only question', async (_title, text, meaning) => {
    const { ask, say, verdictOf } = await setting();
    const { code, prompt } = await ask('Which?', colours);
    expect([await say(text(code)), await verdictOf(prompt)]).toEqual([
      `accepted: Answered: ${meaning}`,
      { behavior: 'answer', text: meaning },
    ]);
  });

  it('takes a quoting reply for the answer to what it quotes, in own words too, but no slip', async () => {
    const { ask, say, verdictOf } = await setting();
    const [first, second] = [await ask('Which?', colours), await ask('And now?', colours)];
    const slip = await say('D', first.message);
    await say('neither of them', first.message);
    expect([slip, await verdictOf(first.prompt), await verdictOf(second.prompt)]).toEqual([
      'not_allowed: "D" is none of the options: A) Red, B) Blue. Name one, or answer in more words.',
      { behavior: 'answer', text: 'neither of them' },
      null,
    ]);
  });

  it('takes any bare text for the answer to the only question where it has no options', async () => {
    const { ask, say, verdictOf } = await setting();
    const { prompt } = await ask('What for?', { kind: 'question' });
    await say('for the tests');
    expect(await verdictOf(prompt)).toEqual({ behavior: 'answer', text: 'for the tests' });
  });

  it('takes bare text for a message when two questions are open, when something came after it, and when it names no option', async () => {
    const { phone, ask, say, verdictOf } = await setting();
    const one = await ask('Which?', colours);
    const words = await say('what is the difference?');
    phone.write('By the way, the tests pass.');
    const later = await say('A');
    const two = await ask('And now?', colours);
    const unclear = await say('A');
    expect([
      words,
      later,
      unclear,
      phone.messages,
      await verdictOf(one.prompt),
      await verdictOf(two.prompt),
    ]).toEqual(['message', 'message', 'message', ['what is the difference?', 'A', 'A'], null, null]);
  });

  it('takes an answer for a message once the question is over', async () => {
    const { ask, say } = await setting();
    const { message } = await ask('Which?', colours);
    await say('A');
    expect([await say('B'), await say('B', message)]).toEqual(['message', 'message']);
  });

  it('counts wrong codes, of answers too, and locks after five; words of five letters are words', async () => {
    const { phone, ask, say } = await setting();
    const { code } = await ask('git push');
    const chat = await say('thank you so much');
    const taken = [
      await say('yes zzzza'),
      await say('no zzzzb'),
      await say('zzzzc A'),
      await say('zzzzd 2'),
      await say('yes zzzze'),
      await say(`yes ${code}`),
    ];
    expect([chat, taken.map((text) => text.split(':')[0]), phone.messages]).toEqual([
      'message',
      ['unknown', 'unknown', 'message', 'message', 'unknown', 'not_allowed'],
      ['thank you so much', 'zzzzc A', 'zzzzd 2'],
    ]);
  });
});
