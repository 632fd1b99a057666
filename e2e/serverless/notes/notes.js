const AWS = require('aws-sdk');

const documents = new AWS.DynamoDB.DocumentClient();
const s3 = new AWS.S3();
const TableName = process.env.TABLE;

const response = (statusCode, body) => ({
  statusCode,
  headers: { 'Access-Control-Allow-Origin': '*' },
  body: body === undefined ? '' : JSON.stringify(body),
});

async function add(text) {
  const note = { id: AWS.util.uuid.v4(), text };
  await documents.put({ TableName, Item: note }).promise();
  return note;
}

exports.create = async ({ body }) => response(201, await add(JSON.parse(body).text));

exports.list = async () => {
  const { Items } = await documents.scan({ TableName }).promise();
  return response(200, Items);
};

exports.change = async ({ pathParameters: { id }, body }) => {
  const { Attributes } = await documents
    .update({
      TableName,
      Key: { id },
      UpdateExpression: 'SET #text = :text',
      ExpressionAttributeNames: { '#text': 'text' },
      ExpressionAttributeValues: { ':text': JSON.parse(body).text },
      ReturnValues: 'ALL_NEW',
    })
    .promise();
  return response(200, Attributes);
};

exports.remove = async ({ pathParameters: { id } }) => {
  await documents.delete({ TableName, Key: { id } }).promise();
  return response(204);
};

exports.importFile = async ({ Records }) => {
  for (const {
    s3: { bucket, object },
  } of Records) {
    const { Body } = await s3
      .getObject({ Bucket: bucket.name, Key: decodeURIComponent(object.key.replaceAll('+', ' ')) })
      .promise();
    await add(Body.toString());
  }
};
