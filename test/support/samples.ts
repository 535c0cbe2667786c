/** The middle of the samples (the mean of the two middle ones). */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
}

/** The sample below which `share` (0 to 1) of all lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** "9 samples, 12.0 to 20.1". */
export function spread(samples: readonly number[]): string {
  return `${samples.length} samples, ${Math.min(...samples).toFixed(1)} to ${Math.max(...samples).toFixed(1)}`;
}

/** Runs `sample` so often, one after the other. */
export async function repeat(times: number, sample: (index: number) => Promise<number>): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < times; index += 1) samples.push(await sample(index));
  return samples;
}
