import { parentPort, workerData } from 'node:worker_threads';
import { assertNever } from '../../../../shared/base/assert-never.ts';
import { htmlMarkdown } from './html-markdown.ts';
import { htmlPlainText } from './html-plain-text.ts';
import { matchingNames } from './matching-names.ts';
import { notebookCells } from './notebook-cells.ts';
import type { ParseAnswers, ParseJob } from './parse-job.ts';
import { pdfText } from './pdf-text.ts';
import { decodedText } from './decoded-text.ts';

/** Entry of the thread: one job, one answer. What is thrown arrives at the other side as the thread's error. */
async function answer(job: ParseJob): Promise<ParseAnswers[ParseJob['kind']]> {
  switch (job.kind) {
    case 'markdown':
      return htmlMarkdown(decodedText(job.body, job.type));
    case 'plain':
      return htmlPlainText(decodedText(job.body, job.type));
    case 'pdf':
      return pdfText(job.body, job.pages);
    case 'notebook':
      return notebookCells(job.body, job.window);
    case 'glob':
      return matchingNames(job.names, job.pattern);
    default:
      return assertNever(job, 'job');
  }
}

parentPort?.postMessage({ answer: await answer(workerData as ParseJob) });
