/** What a process is in the simulation: when it is dead, nothing of it happens any more. */
export class Life {
  alive = true;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  end(): void {
    this.alive = false;
  }
}
