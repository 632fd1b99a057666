/** Members that only describe: kept and told again, and nothing else follows from them. */
const DESCRIPTIVE: readonly { members: RegExp; reason: string }[] = [
  { members: /(^|\.)(\w*Description|description|Comment|CommentText)$/, reason: 'text for people' },
  {
    members: /(^|\.)(DisplayName|FriendlyName|FullName|Label)$/,
    reason: 'a name for people, by which nothing is found',
  },
  {
    members: /(^|\.)(\w*Tags?|TagSet|TagList|TagKeys)(\[\])?(\.(Key|Value|TagKey|TagValue))?$/,
    reason: 'labels of the user',
  },
];

/** Why a member only has to be told again; undefined for one that must act. */
export function descriptive(member: string): string | undefined {
  return DESCRIPTIVE.find(({ members }) => members.test(member))?.reason;
}
