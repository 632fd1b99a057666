"""The clients of SES, versions 1 and 2: identities, templates, and mails that are sent and kept."""

import json
import os
import urllib.request
from email.message import EmailMessage

import boto3
from botocore.exceptions import ClientError

ses = boto3.client("ses")
v2 = boto3.client("sesv2")
SENDER = "ann@python.example.com"


def emails():
    with urllib.request.urlopen(os.environ["AWS_ENDPOINT_URL"] + "/_emulator/ses/emails") as answer:
        return json.load(answer)["emails"]


try:
    ses.send_email(
        Source=SENDER,
        Destination={"ToAddresses": ["to@example.org"]},
        Message={"Subject": {"Data": "s"}, "Body": {"Text": {"Data": "t"}}},
    )
    raise AssertionError("a sender who is not verified sent")
except ClientError as error:
    assert error.response["Error"]["Code"] == "MessageRejected", error.response

ses.verify_domain_identity(Domain="python.example.com")
ses.get_waiter("identity_exists").wait(Identities=["python.example.com"])

ses.create_template(Template={"TemplateName": "hi", "SubjectPart": "Hi {{name}}", "TextPart": "Hello {{name}}"})
sent = ses.send_templated_email(
    Source=SENDER,
    Destination={"ToAddresses": ["to@example.org"]},
    Template="hi",
    TemplateData=json.dumps({"name": "Jörg"}),
)["MessageId"]
(mail,) = [one for one in emails() if one["messageId"] == sent]
assert mail["subject"] == "Hi Jörg", mail

message = EmailMessage()
message["From"], message["To"], message["Subject"] = SENDER, "to@example.org", "raw"
message.set_content("hello")
message.add_attachment(b"data", maintype="application", subtype="pdf", filename="a.pdf")
raw = v2.send_email(Content={"Raw": {"Data": message.as_bytes()}})["MessageId"]
(mail,) = [one for one in emails() if one["messageId"] == raw]
assert [one["filename"] for one in mail["attachments"]] == ["a.pdf"], mail

names = [one["IdentityName"] for one in v2.list_email_identities()["EmailIdentities"]]
assert "python.example.com" in names, names
(insights,) = v2.get_message_insights(MessageId=raw)["Insights"]
assert [event["Type"] for event in insights["Events"]] == ["SEND", "DELIVERY"], insights

ses.delete_template(TemplateName="hi")
v2.delete_email_identity(EmailIdentity="python.example.com")
print("ok")
