import { textOf } from '@emu/wire';

/** Levels, the most severe first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields of a line. */
export type LogFields = Record<string, unknown>;

/** Writes lines for people (text) or machines (JSON). */
export interface Logger {
  /** Whether a line of this level is written. Callers can skip making it otherwise. */
  enabled(level: LogLevel): boolean;
  /** Format of the lines; text if undefined. Callers can word a line for text, and give fields for JSON. */
  readonly format?: 'text' | 'json';
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  level: LogLevel;
  format: 'text' | 'json';
  /** Receives the lines; standard error by default. */
  write?: (line: string) => void;
}

const errorText = (value: unknown): unknown =>
  value instanceof Error ? (value.stack ?? `${value.name}: ${value.message}`) : value;

function textLine(level: LogLevel, message: string, fields: LogFields | undefined): string {
  const time = new Date().toISOString().slice(11, 23);
  const rest = Object.entries(fields ?? {})
    .map(([name, value]) => {
      const shown = errorText(value);
      return ` ${name}=${textOf(shown)}`;
    })
    .join('');
  return `${time} ${level.toUpperCase().padEnd(5)} ${message}${rest}\n`;
}

function jsonLine(level: LogLevel, message: string, fields: LogFields | undefined): string {
  const shown = Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, errorText(value)]));
  return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...shown })}\n`;
}

/** Creates a logger. Lines have the machine's time, not the emulated one. */
export function createLogger(options: LoggerOptions): Logger {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const write = options.write ?? ((line: string) => process.stderr.write(line));
  const line = options.format === 'json' ? jsonLine : textLine;
  const at =
    (level: LogLevel) =>
    (message: string, fields?: LogFields): void => {
      if (LOG_LEVELS.indexOf(level) >= threshold) write(line(level, message, fields));
    };
  return {
    format: options.format,
    enabled: (level) => LOG_LEVELS.indexOf(level) >= threshold,
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}
