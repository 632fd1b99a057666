/** Returns a template of these resources. */
export const resources = (Resources: object, more: object = {}): object => ({ ...more, Resources });

/** A topic with a name and usually a display name. */
export const topic = (TopicName: unknown, DisplayName?: unknown, more: object = {}): object => ({
  Type: 'AWS::SNS::Topic',
  Properties: { ...(TopicName !== undefined && { TopicName }), ...(DisplayName !== undefined && { DisplayName }) },
  ...more,
});

/** A parameter of Parameter Store. */
export const stored = (Value: unknown, more: object = {}, attributes: object = {}): object => ({
  Type: 'AWS::SSM::Parameter',
  Properties: { Type: 'String', Value, ...more },
  ...attributes,
});

export const ref = (Ref: string): object => ({ Ref });
export const attribute = (name: string, of: string): object => ({ 'Fn::GetAtt': [name, of] });
export const join = (delimiter: string, ...items: unknown[]): object => ({ 'Fn::Join': [delimiter, items] });
export const split = (delimiter: string, text: unknown): object => ({ 'Fn::Split': [delimiter, text] });
export const select = (index: unknown, list: unknown): object => ({ 'Fn::Select': [index, list] });
export const inMap = (...path: unknown[]): object => ({ 'Fn::FindInMap': path });
export const sub = (text: string, variables?: object): object => ({ 'Fn::Sub': variables ? [text, variables] : text });
export const equals = (one: unknown, other: unknown): object => ({ 'Fn::Equals': [one, other] });
export const base64 = (text: unknown): object => ({ 'Fn::Base64': text });
/** A parameter of a template. */
export const given = (Default?: string, more: object = {}): object => ({
  Type: 'String',
  ...(Default !== undefined && { Default }),
  ...more,
});
