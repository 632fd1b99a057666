/** What tables of options are made with: the kinds of options, and what the texts of their values mean. */
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
