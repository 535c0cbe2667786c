import { viewersSurface } from '../../electron/daemon/prompts/viewers-surface.ts';
import { FakeSurface } from '../daemon/support/fake-surface.ts';
import { TextPhone } from '../daemon/support/text-phone.ts';
import { surfaceConformance } from './surface-conformance.ts';

surfaceConformance('the bridge', () => viewersSurface);
surfaceConformance('a phone that shows 200 characters', () => new FakeSurface('phone', { maxShown: 200 }));
surfaceConformance('a chat in plain text', () => new TextPhone());
