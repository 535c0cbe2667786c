import { bashTool } from './bash.ts';
import { editTool } from './edit.ts';
import { hostTools } from './host-tools/host-tools.ts';
import { multiEditTool } from './multi-edit.ts';
import { readTool } from './read.ts';
import { globTool } from './search/glob.ts';
import { grepTool } from './search/grep.ts';
import type { Tool } from './tool.ts';
import { transcriptSearchTool } from './transcript-search.ts';
import { taskStopTool } from './tasks/task-stop.ts';
import { webFetchTool } from './web/web-fetch.ts';
import { writeTool } from './write.ts';

/** Every tool of this version, in the order in which a model is told about them. */
export const allTools: readonly Tool[] = [
  bashTool,
  readTool,
  writeTool,
  editTool,
  globTool,
  grepTool,
  multiEditTool,
  taskStopTool,
  webFetchTool(),
  transcriptSearchTool(),
  ...hostTools,
];
