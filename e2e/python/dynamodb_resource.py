"""The resource of DynamoDB: conditions, updates, queries, batches, paging and errors."""

from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

dynamodb = boto3.resource("dynamodb")
table = dynamodb.create_table(
    TableName="scores",
    KeySchema=[{"AttributeName": "game", "KeyType": "HASH"}, {"AttributeName": "points", "KeyType": "RANGE"}],
    AttributeDefinitions=[
        {"AttributeName": "game", "AttributeType": "S"},
        {"AttributeName": "points", "AttributeType": "N"},
        {"AttributeName": "player", "AttributeType": "S"},
    ],
    GlobalSecondaryIndexes=[
        {
            "IndexName": "by-player",
            "KeySchema": [{"AttributeName": "player", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    BillingMode="PAY_PER_REQUEST",
)
table.wait_until_exists()
table.reload()
assert table.table_status == "ACTIVE", table.table_status
assert [one.name for one in dynamodb.tables.all()] == ["scores"]

with table.batch_writer() as batch:
    for number in range(60):
        batch.put_item(Item={"game": "chess", "points": number, "player": f"p{number % 3}", "tags": {"a", "b"}})

page = table.query(
    KeyConditionExpression=Key("game").eq("chess") & Key("points").between(10, 50),
    FilterExpression=Attr("player").eq("p1") & Attr("tags").contains("a"),
    ScanIndexForward=False,
    Limit=20,
)
assert page["ScannedCount"] == 20 and page["LastEvaluatedKey"] == {"game": "chess", "points": Decimal(31)}, page
assert [int(item["points"]) for item in page["Items"]] == [49, 46, 43, 40, 37, 34, 31], page
assert table.query(IndexName="by-player", KeyConditionExpression=Key("player").eq("p2"))["Count"] == 20

exact = Decimal("1234567890.0123456789012345678901234567")
updated = table.update_item(
    Key={"game": "chess", "points": 1},
    UpdateExpression="SET detail = :d, seen = :t, gone = :n ADD visits :one",
    ExpressionAttributeValues={":d": {"exact": exact, "bytes": b"\x00\xff"}, ":t": True, ":n": None, ":one": 1},
    ReturnValues="ALL_NEW",
)
item = updated["Attributes"]
assert item["detail"]["exact"] == exact and item["detail"]["bytes"].value == b"\x00\xff", item
assert item["visits"] == 1 and item["seen"] is True and item["gone"] is None, item

try:
    table.put_item(Item={"game": "chess", "points": 1}, ConditionExpression=Attr("game").not_exists())
    raise AssertionError("the condition held")
except ClientError as error:
    assert error.response["Error"] == {
        "Message": "The conditional request failed",
        "Code": "ConditionalCheckFailedException",
    }, error.response

client = dynamodb.meta.client
try:
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": "scores", "Item": {"game": "go", "points": 1}}},
            {
                "ConditionCheck": {
                    "TableName": "scores",
                    "Key": {"game": "chess", "points": 1000},
                    "ConditionExpression": "attribute_exists(game)",
                }
            },
        ]
    )
    raise AssertionError("the transaction went through")
except client.exceptions.TransactionCanceledException as error:
    codes = [reason["Code"] for reason in error.response["CancellationReasons"]]
    assert codes == ["None", "ConditionalCheckFailed"], codes
assert "Item" not in table.get_item(Key={"game": "go", "points": 1})

seen = []
for segment in range(4):
    arguments = {"Segment": segment, "TotalSegments": 4}
    while True:
        page = table.scan(Limit=7, **arguments)
        seen += [int(item["points"]) for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            break
        arguments["ExclusiveStartKey"] = page["LastEvaluatedKey"]
assert sorted(seen) == list(range(60)), seen

table.delete()
table.wait_until_not_exists()
print("ok")
