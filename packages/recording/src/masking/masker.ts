import { isUtf8 } from 'node:buffer';
import { isSecretHeader, isSecretName } from '@emu/core';
import { isObject, type MemberModel, type ServiceModel, type Shape } from '@emu/wire';
import type { RecordedHeaders } from '../records.ts';
import { CutBody } from '../values.ts';
import { accountPlaceholder, emailPlaceholder, keyIdPlaceholder, secretPlaceholder } from './placeholders.ts';
import {
  isNamedSecret,
  replaceAccounts,
  replaceEmails,
  replaceKeyIds,
  replaceNamedSecrets,
  replacePrivateKeys,
} from './texts.ts';

/** Names of members with credentials, which are masked even if all other values are kept. */
const CREDENTIALS = new Set([
  'SecretAccessKey',
  'SecretKey',
  'SessionToken',
  'secretAccessKey',
  'sessionToken',
  'secretKey',
]);
/** Shortest secret, in characters, that is also found inside of other texts. */
const FINDABLE = 8;
/** Maximum number of secrets that are searched for in a text, and characters compared for one text. */
const SEARCHED = 500;
const SEARCH_WORK = 16 * 1024 * 1024;
/** Maximum bytes of a blob whose text is masked. */
const MAX_TEXT_BLOB = 1024 * 1024;

/**
 * Replaces secrets, account ids and e-mail addresses by placeholders, before anything is written. A value has the same number
 * everywhere in a file.
 *
 * - Secrets: members that a model marks as sensitive, credentials, tokens, passwords and key material by their names, tokens
 *   and private keys in any text. `{{Secret:000001}}`, or a shorter form if the member's pattern or length requires it:
 *   `Secret000001`, `000001`. A secret of 8 characters or more is also replaced inside of other texts.
 * - Account ids: `000000000001`.
 * - Access key ids and unique ids of IAM: `AKIA0000000000000001`.
 * - E-mail addresses: `masked-1@example.com`.
 */
export class Masker {
  private readonly secrets = new Map<string, number>();
  private readonly accounts = new Map<string, number>();
  private readonly emails = new Map<string, number>();
  private readonly keyIds = new Map<string, number>();
  /** Secrets that are searched for in texts, the newest last, with their placeholders. */
  private readonly searched: (readonly [secret: string, placeholder: string])[] = [];

  /** @param keepsValues whether only credentials are masked */
  constructor(private readonly keepsValues = false) {}

  /** Registers a secret that may appear in any text, such as the user's own key. */
  addSecret(secret: string): void {
    this.secret(secret);
  }

  /**
   * Masks a decoded input, output or error.
   * @param shape name of its shape in the model; undefined for none
   */
  members(model: ServiceModel, shape: string | undefined, value: unknown): Record<string, unknown> {
    const use = shape === undefined ? undefined : model.shapes[shape];
    const before = this.secrets.size;
    let masked = this.value(model, use, value, false);
    // A text may precede the member with the secret that it contains.
    if (this.secrets.size > before) masked = this.value(model, use, value, false);
    return isObject(masked) ? masked : {};
  }

  /** Masks a text. */
  text(text: string): string {
    if (text === '') return text;
    let out = this.withoutKnown(text);
    if (this.keepsValues) return out;
    const secret = (part: string): string => this.secret(part);
    if (out.includes('-----BEGIN ')) out = replacePrivateKeys(out, secret);
    out = replaceNamedSecrets(out, secret);
    if (out.includes('@')) out = replaceEmails(out, (email) => this.email(email));
    out = replaceKeyIds(out, (id, prefix) => this.keyId(id, prefix));
    return replaceAccounts(
      out,
      (id) => this.accounts.has(id),
      (id) => this.account(id),
    );
  }

  /** Masks an access key id, whatever its form is. */
  signer(accessKeyId: string): string {
    if (this.keepsValues) return accessKeyId;
    const masked = this.text(accessKeyId);
    return masked === accessKeyId ? this.secret(accessKeyId) : masked;
  }

  /** Masks headers. The scheme of an `authorization` remains. */
  headers(headers: RecordedHeaders): RecordedHeaders {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        if (name === 'authorization') {
          const scheme = /^(?:Bearer|Basic|Digest) /i.exec(value)?.[0] ?? '';
          return [name, scheme + this.secret(value.slice(scheme.length))];
        }
        return [name, isSecretHeader(name) && !this.keepsValues ? this.secret(value) : this.text(value)];
      }),
    );
  }

  private value(model: ServiceModel, shape: Shape | undefined, value: unknown, secret: boolean): unknown {
    switch (typeof value) {
      case 'string':
        if (!secret) return this.text(value);
        return shape?.enum?.includes(value) ? value : this.secret(value, shape);
      case 'number':
        if (secret) return 0;
        return Number.isSafeInteger(value) && this.accounts.has(String(value))
          ? Number(this.account(String(value)))
          : value;
      case 'object':
        return value === null ? null : this.object(model, shape, value, secret);
      default:
        return value;
    }
  }

  private object(model: ServiceModel, shape: Shape | undefined, value: object, secret: boolean): unknown {
    if (value instanceof Date) return secret ? new Date(0) : value;
    if (value instanceof Uint8Array) return this.bytes(value, secret);
    if (value instanceof CutBody) return new CutBody(this.bytes(value.bytes, secret), value.length);
    const shapeOf = (use: MemberModel | undefined): Shape | undefined => use && model.shapes[use.shape];
    if (Array.isArray(value)) {
      const element = shapeOf(shape?.member);
      const hidden = secret || this.isSecret('', element);
      return value.map((item) => this.value(model, element, item, hidden));
    }
    const modelled = shape?.type === 'structure' && !shape.document;
    const hidesKeys = this.isSecret('', shapeOf(shape?.key));
    const masked = Object.entries(value).map(([name, item]): [string, unknown] => {
      const use = modelled ? shapeOf(shape.members?.[name]) : shapeOf(shape?.value);
      const hidden =
        secret || this.isSecret(name, use) || (!modelled && !this.keepsValues && isNamedSecret(name, item));
      const key = modelled ? name : hidesKeys ? this.secret(name, shapeOf(shape?.key)) : this.text(name);
      return [key, this.value(model, use, item, hidden)];
    });
    return Object.fromEntries(masked);
  }

  private isSecret(name: string, shape: Shape | undefined): boolean {
    if (CREDENTIALS.has(name)) return true;
    return !this.keepsValues && (shape?.sensitive === true || isSecretName(name));
  }

  private bytes(bytes: Uint8Array, secret: boolean): Uint8Array {
    if (bytes.length === 0) return bytes;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isText = isUtf8(buffer);
    if (secret) return Buffer.from(this.secret(isText ? buffer.toString() : `\0${buffer.toString('latin1')}`));
    if (!isText || bytes.length > MAX_TEXT_BLOB) return bytes;
    const text = buffer.toString();
    const masked = this.text(text);
    return masked === text ? bytes : Buffer.from(masked);
  }

  /** Replaces known secrets in a text, the newest ones if there are many. */
  private withoutKnown(text: string): string {
    let work = SEARCH_WORK;
    let out = text;
    for (let index = this.searched.length - 1; index >= 0 && out.length >= FINDABLE; index--) {
      const [secret, placeholder] = this.searched[index]!;
      work -= out.length;
      if (work < 0) break;
      if (out.includes(secret)) out = out.replaceAll(secret, placeholder);
    }
    return out;
  }

  private secret(value: string, shape?: Shape): string {
    if (value === '' || this.isPlaceholder(value)) return value;
    const known = this.secrets.get(value);
    const number = known ?? this.secrets.size + 1;
    const placeholder = secretPlaceholder(number, shape);
    if (known !== undefined) return placeholder;
    this.secrets.set(value, number);
    if (value.length >= FINDABLE && !value.startsWith('\0')) {
      this.searched.push([value, secretPlaceholder(number)]);
      if (this.searched.length > SEARCHED) this.searched.shift();
    }
    return placeholder;
  }

  /** Whether a value is a placeholder already, because its text was masked before. */
  private isPlaceholder(value: string): boolean {
    return /^\{\{Secret:\d{6,}\}\}$/.test(value);
  }

  private account(id: string): string {
    return accountPlaceholder(numberOf(this.accounts, id));
  }

  private email(address: string): string {
    return emailPlaceholder(numberOf(this.emails, address));
  }

  private keyId(id: string, prefix: string): string {
    return keyIdPlaceholder(prefix, numberOf(this.keyIds, id), id.length);
  }
}

/** Returns the number of a value, the next one for a new value. */
function numberOf(numbers: Map<string, number>, value: string): number {
  let number = numbers.get(value);
  if (number === undefined) {
    number = numbers.size + 1;
    numbers.set(value, number);
  }
  return number;
}
