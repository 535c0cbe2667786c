import { offers, prompts } from '../rows/tables.ts';
import { notFound } from './rejections.ts';
import type { Tx } from './tx.ts';

/** The showing of a prompt on one surface, as the surface reports it. */
export interface OfferInput {
  readonly prompt: string;
  readonly surface: string;
  readonly shown: number | null;
  readonly externalId: string | null;
}

/** Notes that a surface shows a prompt; a second report keeps what it leaves open. */
export function recordOffer(tx: Tx, { prompt, surface, shown, externalId }: OfferInput): void {
  if (!tx.rows.get(prompts, prompt)) throw notFound('prompt', prompt);
  const known = tx.rows.get(offers, prompt, surface);
  const row = { shown: shown ?? known?.shown ?? null, externalId: externalId ?? known?.externalId ?? null };
  if (known) tx.rows.update(offers, [prompt, surface], { ...row, offeredAt: tx.now });
  else tx.rows.insert(offers, { prompt, surface, ...row, offeredAt: tx.now, settledTold: false });
}

/** Notes that a surface was told how the prompt ended. */
export function settleOffer(tx: Tx, prompt: string, surface: string): void {
  if (tx.rows.get(offers, prompt, surface)) tx.rows.update(offers, [prompt, surface], { settledTold: true });
}
