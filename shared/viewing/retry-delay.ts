const delays = [250, 500, 1000, 2000, 4000];
const longest = 5000;

/** How long to wait before attempt number `attempt` (from 1) to reach the daemon again, ms. It never gives up. */
export function retryDelay(attempt: number): number {
  return delays[attempt - 1] ?? longest;
}
