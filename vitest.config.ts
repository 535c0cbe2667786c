import { defineConfig } from 'vitest/config';

const realProcesses = ['test/journeys/**', 'test/crash/**', 'test/browser/**'];
const longCrash = 'test/crash/long/**/*.test.ts';
const test = '*.test.{ts,tsx}';

// Two workers: every unit test file is a process of its own, and the smallest machine this runs on has two cores.
// Projects with different worker counts need different group orders; system runs last because it is the slowest.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [`test/**/${test}`],
          exclude: [
            ...realProcesses,
            'test/simulation/**',
            'test/fuzz/**',
            'test/bench/**',
            '**/fixtures/**',
          ],
          pool: 'forks',
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'simulation',
          include: [`test/{simulation,fuzz}/**/${test}`],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'system',
          include: realProcesses.map((folder) => `${folder}/${test}`),
          exclude: [longCrash, '**/fixtures/**'],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'crash-long',
          include: [longCrash],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
