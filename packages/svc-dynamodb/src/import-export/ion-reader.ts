import { IonTypes, makeReader, type Reader } from 'ion-js';

/** Annotations that mark an Ion list as a set. */
const SETS = new Map([
  ['$dynamodb_SS', 'SS'],
  ['$dynamodb_NS', 'NS'],
  ['$dynamodb_BS', 'BS'],
]);

/**
 * Yields the items of Ion text, each the member `Item` of a struct, in DynamoDB JSON; undefined for invalid values.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.Format.html
 * @throws Error if the text is not valid Ion
 */
export function* ionItems(text: string): Generator<Record<string, unknown> | undefined> {
  const reader = makeReader(text);
  for (let type = reader.next(); type !== null; type = reader.next()) {
    const value = type === IonTypes.STRUCT && !reader.isNull() ? structOf(reader) : undefined;
    const item = value?.Item as { M?: Record<string, unknown> } | undefined;
    yield item?.M;
  }
}

function structOf(reader: Reader): Record<string, unknown> {
  const members: [string, unknown][] = [];
  reader.stepIn();
  while (reader.next() !== null) members.push([reader.fieldName()!, readValue(reader)]);
  reader.stepOut();
  return Object.fromEntries(members);
}

/**
 * Returns the reader's current value in DynamoDB JSON.
 * @throws Error for a type unsupported by DynamoDB
 */
function readValue(reader: Reader): Record<string, unknown> {
  const type = reader.type()!;
  if (reader.isNull()) return { NULL: true };
  switch (type) {
    case IonTypes.STRING:
    case IonTypes.SYMBOL:
      return { S: reader.stringValue() };
    case IonTypes.BOOL:
      return { BOOL: reader.booleanValue() };
    case IonTypes.DECIMAL:
      return { N: reader.decimalValue()!.toString() };
    case IonTypes.INT:
      return { N: String(reader.bigIntValue()) };
    case IonTypes.FLOAT:
      return { N: String(reader.numberValue()) };
    case IonTypes.BLOB:
    case IonTypes.CLOB:
      return { B: Buffer.from(reader.uInt8ArrayValue()!).toString('base64') };
    case IonTypes.STRUCT:
      return { M: structOf(reader) };
    case IonTypes.LIST:
    case IonTypes.SEXP:
      return listOf(reader);
    default:
      throw new Error(`DynamoDB has no type for the Ion type ${type.name}`);
  }
}

function listOf(reader: Reader): Record<string, unknown> {
  const set = reader
    .annotations()
    .map((annotation) => SETS.get(annotation))
    .find((name) => name !== undefined);
  const values: Record<string, unknown>[] = [];
  reader.stepIn();
  while (reader.next() !== null) values.push(readValue(reader));
  reader.stepOut();
  return set ? { [set]: values.map((value) => value[set[0]!]) } : { L: values };
}
