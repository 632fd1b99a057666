/** Code for persistent mode only, loaded on demand. */
export { openDiskPersistence } from '@emu/core';
