import { createHash } from 'node:crypto';
import type { Frame } from '../../../shared/domain/frames.ts';
import type { Lease } from '../../../shared/protocol/worker-link.ts';
import type { FramePort } from '../agent/ports.ts';
import type { OfferedTools } from './hot-set.ts';
import {
  type InstructionFile,
  instructionFiles,
  instructionPlaces,
  repositoryOf,
} from './instruction-files.ts';
import { changedInstructions, instructionText } from './instruction-text.ts';
import { systemPrompt } from './system-prompt.ts';

/** What a session's frame is made of; `home` is where the person's own instruction files are looked for. */
export interface FrameParts {
  readonly lease: Pick<Lease, 'dir' | 'model' | 'brief'>;
  readonly build: string;
  readonly offered: OfferedTools;
  readonly home?: string;
}

/** Characters of changed instruction files that are told in the middle of a conversation. */
const longestNews = 20_000;

/** The frame of a session as it would be pinned now, and what changed since one was. */
export function sessionFrame({ lease, build, offered, home }: FrameParts): FramePort {
  const { dir, model, brief } = lease;
  const look = async (): Promise<{ repository: string | null; files: InstructionFile[] }> => {
    const repository = await repositoryOf(dir);
    return { repository, files: await instructionFiles(instructionPlaces(dir, repository, home)) };
  };
  return {
    fits: (frame) =>
      frame.build === build &&
      frame.model === model &&
      frame.brief === brief &&
      // The one tool that an owner's settings give or take.
      searches(frame) === searches(offered),
    async make(): Promise<Frame> {
      const { repository, files } = await look();
      const instructions = instructionText(files);
      const system = systemPrompt({
        brief,
        system: systemName(process.platform),
        dir,
        repository,
        instructions,
      });
      return {
        build,
        model,
        brief,
        system,
        tools: [...offered.tools],
        deferred: [...offered.deferred],
        instructions: digestOf(instructions),
      };
    },
    async news(known) {
      const { files } = await look();
      const digest = digestOf(instructionText(files));
      return digest === known ? null : { digest, text: changedInstructions(files, longestNews) };
    },
  };
}

function searches({ deferred }: OfferedTools): boolean {
  return deferred.some(({ name }) => name === 'WebSearch');
}

/** Empty for no instructions, so that frames without any agree. */
function digestOf(text: string): string {
  return text === '' ? '' : createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function systemName(platform: NodeJS.Platform): string {
  const names: Partial<Record<NodeJS.Platform, string>> = {
    linux: 'Linux',
    darwin: 'macOS',
    win32: 'Windows',
  };
  return names[platform] ?? platform;
}
