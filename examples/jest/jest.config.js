/** Modules are used as they are, without a transformation. */
export default { preset: '@emu/emulator', testEnvironment: 'node', transform: {} };
