declare const __EMU_VERSION__: string;

/** Version of the CLI; the build puts it in. */
export const VERSION = __EMU_VERSION__;
