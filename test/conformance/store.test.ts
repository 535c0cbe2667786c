import { storeConformance } from './store-conformance.ts';
import { openMemoryRig, openSqliteRig } from './store-rig.ts';

storeConformance('the memory store', openMemoryRig);
storeConformance('the SQLite store', openSqliteRig);
