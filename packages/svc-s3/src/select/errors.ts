import { AwsError } from '@emu/wire';

/**
 * SelectObjectContent's errors, with AWS's codes and messages.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#SelectObjectContentErrorCodeList
 */
const MESSAGES = {
  AmbiguousFieldName:
    'Field name matches to multiple fields in the file. Check the SQL expression and the file, and try again.',
  CSVEscapingRecordDelimiter:
    'A quoted record delimiter was found in the file. To allow quoted record delimiters, set AllowQuotedRecordDelimiter to TRUE.',
  CSVParsingError: 'Encountered an error parsing the CSV file. Check the file and try again.',
  CastFailed: 'Attempt to convert from one data type to another using CAST failed in the SQL expression.',
  EvaluatorInvalidArguments: 'Incorrect number of arguments in the function call in the SQL expression.',
  EvaluatorInvalidTimestampFormatPattern: 'Time stamp format pattern requires additional fields in the SQL expression.',
  EvaluatorInvalidTimestampFormatPatternSymbol:
    'Time stamp format pattern contains an invalid symbol in the SQL expression.',
  ExpressionTooLong: 'The SQL expression is too long: The maximum byte-length for the SQL expression is 256 KB.',
  IncorrectSqlFunctionArgumentType: 'Incorrect type of arguments in function call in the SQL expression.',
  IntegerOverflow: 'Int overflow or underflow in the SQL expression.',
  InvalidColumnIndex: 'Column index in the SQL expression is invalid.',
  InvalidCompressionFormat:
    'The file is not in a supported compression format. Only GZIP and BZIP2 are supported at this time.',
  InvalidDataSource: 'Invalid data source type. Only CSV, JSON, and Parquet are supported at this time.',
  InvalidDataType: 'The SQL expression contains an invalid data type.',
  InvalidExpressionType: 'The ExpressionType is invalid. Only SQL expressions are supported at this time.',
  InvalidFileHeaderInfo: 'The FileHeaderInfo is invalid. Only NONE, USE, and IGNORE are supported.',
  InvalidJsonType: 'The JsonType is invalid. Only DOCUMENT and LINES are supported at this time.',
  InvalidQuoteFields: 'The QuoteFields is invalid. Only ALWAYS and ASNEEDED are supported.',
  InvalidRequestParameter: 'The value of a parameter in the SelectRequest element is invalid.',
  InvalidScanRange: 'The provided scan range is not valid.',
  InvalidTableAlias: 'The SQL expression contains an invalid table alias.',
  InvalidTextEncoding: 'Invalid encoding type. Only UTF-8 encoding is supported at this time.',
  JSONParsingError: 'Encountered an error parsing the JSON file. Check the file and try again.',
  LexerInvalidChar: 'The SQL expression contains an invalid character.',
  LikeInvalidInputs: 'Invalid argument given to the LIKE clause in the SQL expression.',
  MissingHeaders: 'Some headers in the query are missing from the file. Check the file and try again.',
  MissingRequiredParameter:
    'The SelectRequest entity is missing a required parameter. Check the service documentation and try again.',
  MultipleDataSourcesUnsupported: 'Multiple data sources are not supported.',
  ObjectSerializationConflict:
    'The SelectRequest entity can only contain one of CSV or JSON. Check the service documentation and try again.',
  OverMaxColumn: 'The number of columns in the result is greater than the maximum allowable number of columns.',
  OverMaxRecordSize: 'The length of a record in the input or result is greater than maxCharsPerRecord of 1 MB.',
  ParquetParsingError: 'Error parsing Parquet file. Please check the file and try again.',
  ParseAsteriskIsNotAloneInSelectList:
    "Other expressions are not allowed in the SELECT list when '*' is used without dot notation in the SQL expression.",
  ParseEmptySelect: 'The SQL expression contains an empty SELECT.',
  ParseExpectedDatePart: 'Did not find the expected date part in the SQL expression.',
  ParseExpectedTypeName: 'Did not find the expected type name in the SQL expression.',
  ParseInvalidTypeParam: 'The SQL expression contains an invalid parameter value.',
  ParseNonUnaryAgregateFunctionCall: 'Only one argument is supported for aggregate functions in the SQL expression.',
  ParseSelectMissingFrom: 'The SQL expression is missing the FROM clause.',
  ParseUnexpectedToken: 'The SQL expression contains an unexpected token.',
  ParseUnsupportedCallWithStar: 'Only COUNT with (*) as a parameter is supported in the SQL expression.',
  ParseUnsupportedSyntax: 'The SQL expression contains unsupported syntax.',
  TruncatedInput:
    'Object decompression failed. Check that the object is properly compressed using the format specified in the request.',
  UnsupportedFunction: 'Encountered an unsupported SQL function.',
  UnsupportedScanRangeInput:
    'Scan range queries are not supported on this type of object. Supported objects are uncompressed CSV, uncompressed JSON LINES, and Parquet objects.',
  UnsupportedSqlStructure: 'Encountered an unsupported SQL structure. Check the SQL Reference.',
  ValueParseFailure: 'Time stamp parse failure in the SQL expression.',
} as const;

/** An error code of SelectObjectContent. */
export type SelectErrorCode = keyof typeof MESSAGES;

/** @param detail addition to the code's message, e.g. the position of a syntax error */
export const selectError = (code: SelectErrorCode, detail?: string): AwsError =>
  new AwsError(code, detail ?? MESSAGES[code], { status: 400 });
