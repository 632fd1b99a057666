declare const __EMU_VERSION__: string;

/** Version of the CLI, inserted by the build. */
export const VERSION = __EMU_VERSION__;
