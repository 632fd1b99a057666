import * as v from 'valibot';

/** Parses the text of a flag or variable; the message of an error completes "<name> must be …". */
export type OptionSchema<Value> = v.GenericSchema<string, Value>;

/** An address to listen on. */
export interface ListenAddress {
  /** Host name or IP address; IPv6 without brackets. */
  host: string;
  /** 0 lets the system choose. */
  port: number;
}

const TRUE = ['true', '1', 'yes'];
const BOOLEANS = [...TRUE, 'false', '0', 'no'];

/** `true`, `1`, `yes` or `false`, `0`, `no`, ignoring case. */
export const boolean: OptionSchema<boolean> = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(BOOLEANS, 'true or false (or 1, 0, yes, no)'),
  v.transform((text) => TRUE.includes(text)),
);

/** Accepts any text that is not empty. */
export const text = (what: string): OptionSchema<string> => v.pipe(v.string(), v.nonEmpty(what));

/** Accepts one of the given words. */
export const choice = <const Word extends string>(...words: readonly Word[]): OptionSchema<Word> =>
  v.picklist(words, words.length < 2 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

/** Parses an integer of at least `least`. */
export const integer = (least: number, unit = ''): OptionSchema<number> => {
  const message = `a whole number${unit} of at least ${least}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, message),
    v.transform(Number),
    v.safeInteger(message),
    v.minValue(least, message),
  );
};

/** Accepts text that matches a pattern. */
export const matching = (pattern: RegExp, what: string): OptionSchema<string> =>
  v.pipe(v.string(), v.regex(pattern, what));

const ADDRESS = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/;

/** `host:port`, with IPv6 addresses in brackets. */
export const address: OptionSchema<ListenAddress> = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const match = ADDRESS.exec(dataset.value);
    const port = Number(match?.[3]);
    if (!match || port > 65_535) {
      addIssue({ message: 'host:port, such as 127.0.0.1:4566 or [::1]:4566' });
      return NEVER;
    }
    return { host: (match[1] ?? match[2])!, port };
  }),
);

/** An `http://` or `https://` URL; returned without a trailing slash. */
export const baseUrl: OptionSchema<string> = v.pipe(
  v.string(),
  v.check(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'an http:// or https:// URL, such as http://emu.internal:4566',
  ),
  v.transform((value) => value.replace(/\/+$/, '')),
);

/**
 * A host name in lower case, `*.name` for every name below one, or `*`. Underscores are allowed, as names of containers
 * have them.
 */
export const hostPattern: OptionSchema<string> = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.regex(
    /^(\*|(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*)$/,
    'a host name such as emu.example.com, without a port, or *.example.com',
  ),
);

/** A web origin with `*` for any part of it, `*` alone, or `null`. */
export const originPattern: OptionSchema<string> = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.regex(
    /^(\*|null|[a-z*][a-z0-9+.*-]*:\/\/[^\s/?#@]+)$/,
    'an origin such as https://app.example.com or http://*.example.com:8080, without a path',
  ),
);

/** Parses a comma-separated list; drops empty items. */
export const list = (item: OptionSchema<string>): OptionSchema<readonly string[]> =>
  v.pipe(
    v.string(),
    v.transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    ),
    v.array(item),
  );

/** `key=value,key=value`. */
export const pairs: OptionSchema<Readonly<Record<string, string>>> = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const found: Record<string, string> = {};
    for (const part of dataset.value.split(',').map((item) => item.trim())) {
      const at = part.indexOf('=');
      if (at < 1) {
        addIssue({ message: 'key=value pairs separated by commas' });
        return NEVER;
      }
      found[part.slice(0, at)] = part.slice(at + 1);
    }
    return found;
  }),
);
