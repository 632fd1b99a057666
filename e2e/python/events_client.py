"""EventBridge with boto3: buses, rules, targets, patterns, archives and errors."""

import json

import boto3

events = boto3.client("events")
sqs = boto3.client("sqs")

bus = events.create_event_bus(Name="python", Tags=[{"Key": "team", "Value": "ä"}])["EventBusArn"]
assert bus == "arn:aws:events:us-east-1:123456789012:event-bus/python", bus
assert events.list_tags_for_resource(ResourceARN=bus)["Tags"] == [{"Key": "team", "Value": "ä"}]

url = sqs.create_queue(QueueName="events-python")["QueueUrl"]
queue = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
pattern = json.dumps({"detail": {"colour": [{"anything-but": "red"}], "size": [{"numeric": [">", 3]}]}})
rule = events.put_rule(Name="python", EventBusName="python", EventPattern=pattern)["RuleArn"]
assert rule == "arn:aws:events:us-east-1:123456789012:rule/python/python", rule
failed = events.put_targets(Rule="python", EventBusName="python", Targets=[{"Id": "queue", "Arn": queue}])
assert failed["FailedEntryCount"] == 0, failed
assert events.list_rule_names_by_target(TargetArn=queue, EventBusName="python")["RuleNames"] == ["python"]

archive = events.create_archive(ArchiveName="python", EventSourceArn=bus, RetentionDays=1)
assert archive["State"] == "ENABLED", archive
entries = [
    {"Source": "app", "DetailType": "t", "Detail": json.dumps(detail), "EventBusName": "python"}
    for detail in ({"colour": "red", "size": 4}, {"colour": "blue", "size": 4}, {"colour": "blue", "size": 3})
]
answer = events.put_events(Entries=[*entries, {"Source": "app", "DetailType": "t", "Detail": "[]"}])
assert answer["FailedEntryCount"] == 1 and answer["Entries"][3]["ErrorCode"] == "MalformedDetail", answer
messages = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=10).get("Messages", [])
assert [json.loads(message["Body"])["detail"] for message in messages] == [{"colour": "blue", "size": 4}], messages
assert events.describe_archive(ArchiveName="python")["EventCount"] == 3

event = {
    "id": "1",
    "account": "123456789012",
    "source": "app",
    "time": "2026-01-01T00:00:00Z",
    "region": "us-east-1",
    "resources": [],
    "detail-type": "t",
    "detail": {"colour": "blue", "size": 5},
}
assert events.test_event_pattern(EventPattern=pattern, Event=json.dumps(event))["Result"] is True

events.put_rule(Name="tick", ScheduleExpression="rate(1 minute)", State="DISABLED")
assert [rule["Name"] for page in events.get_paginator("list_rules").paginate() for rule in page["Rules"]] == ["tick"]
try:
    events.put_rule(Name="bad", ScheduleExpression="rate(1 minutes)")
    raise AssertionError("a bad schedule was taken")
except events.exceptions.ClientError as error:
    assert error.response["Error"]["Code"] == "ValidationException", error.response
try:
    events.delete_rule(Name="python", EventBusName="python")
    raise AssertionError("a rule with targets was deleted")
except events.exceptions.ClientError as error:
    assert "targets" in error.response["Error"]["Message"], error.response

events.remove_targets(Rule="python", EventBusName="python", Ids=["queue"])
events.delete_rule(Name="python", EventBusName="python")
events.delete_rule(Name="tick")
events.delete_archive(ArchiveName="python")
events.delete_event_bus(Name="python")
print("ok")
