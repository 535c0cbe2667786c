import { jsonSchema, streamText } from 'ai';

/** What is used of the SDK, in a module of its own: a bundle takes only this out of it. */
export const sdk = { jsonSchema, streamText };
