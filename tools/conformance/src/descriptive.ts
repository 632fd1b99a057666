/** Members that are only stored and returned, without any other effect. */
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

/** Returns the reason why a member only has to be returned; undefined for one that must have an effect. */
export function descriptive(member: string): string | undefined {
  return DESCRIPTIVE.find(({ members }) => members.test(member))?.reason;
}
