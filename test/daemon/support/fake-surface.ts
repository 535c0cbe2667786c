import type { Showing, Surface, SurfaceTraits } from '../../../electron/daemon/prompts/surface.ts';

const phoneTraits: SurfaceTraits = {
  kinds: ['approval', 'question'],
  maxShown: 200,
  provesSender: false,
  scopes: ['once'],
};

/** A surface that notes what it shows; `hold` keeps offers waiting until they are let go. */
export class FakeSurface implements Surface {
  readonly id: string;
  readonly traits: SurfaceTraits;
  readonly shown: Showing[] = [];
  readonly told: string[] = [];
  broken = false;
  #gate: Promise<void> = Promise.resolve();
  #open: () => void = () => undefined;

  constructor(id = 'phone', traits: Partial<SurfaceTraits> = {}) {
    this.id = id;
    this.traits = { ...phoneTraits, ...traits };
  }

  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  letGo(): void {
    this.#open();
  }

  async offer(showing: Showing): Promise<{ shown: number; externalId: string | null }> {
    await this.#gate;
    if (this.broken) throw new Error('away');
    this.shown.push(showing);
    return {
      shown: showing.whole ? showing.prompt.preview.length : showing.text.length,
      externalId: `x-${this.shown.length}`,
    };
  }

  async settled(prompt: { id: string; state: string }): Promise<void> {
    if (this.broken) throw new Error('away');
    this.told.push(`${prompt.id} ${prompt.state}`);
  }
}
