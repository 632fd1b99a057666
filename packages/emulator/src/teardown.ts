/** Global teardown of jest for `@emu/emulator/setup`. */
export { endShared as default } from './setup.ts';
