/** What only persistent mode needs, apart so that it is loaded only then. */
export { openDiskPersistence } from '@emu/core';
