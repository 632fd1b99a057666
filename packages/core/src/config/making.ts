/** Building blocks of option tables: kinds of options, and parsers of their values. */
export { derived, optional, readAs, withDefault } from './option.ts';
export {
  address,
  baseUrl,
  boolean,
  choice,
  integer,
  list,
  matching,
  type OptionSchema,
  pairs,
  text,
} from './schemas.ts';
