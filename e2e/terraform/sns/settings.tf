variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_iam_role" "settings" {
  name = "sns-settings"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = ["sns.amazonaws.com", "firehose.amazonaws.com"] }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_sns_topic" "watched" {
  name_prefix       = "watched-"
  display_name      = var.changed ? "Second" : "First"
  kms_master_key_id = var.changed ? null : "alias/aws/sns"
  tracing_config    = var.changed ? "PassThrough" : "Active"

  application_failure_feedback_role_arn    = aws_iam_role.settings.arn
  application_success_feedback_role_arn    = aws_iam_role.settings.arn
  application_success_feedback_sample_rate = 10
  firehose_failure_feedback_role_arn       = aws_iam_role.settings.arn
  firehose_success_feedback_role_arn       = aws_iam_role.settings.arn
  firehose_success_feedback_sample_rate    = 20
  http_failure_feedback_role_arn           = aws_iam_role.settings.arn
  http_success_feedback_role_arn           = aws_iam_role.settings.arn
  http_success_feedback_sample_rate        = 30
  lambda_failure_feedback_role_arn         = aws_iam_role.settings.arn
  lambda_success_feedback_role_arn         = var.changed ? null : aws_iam_role.settings.arn
  lambda_success_feedback_sample_rate      = 40
  sqs_failure_feedback_role_arn            = aws_iam_role.settings.arn
  sqs_success_feedback_role_arn            = aws_iam_role.settings.arn
  sqs_success_feedback_sample_rate         = var.changed ? 100 : 50

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "s3.amazonaws.com" }
      Action    = "SNS:Publish"
      Resource  = "arn:aws:sns:*:*:watched-*"
    }]
  })
}

resource "aws_sns_topic" "grouped" {
  name                        = "grouped.fifo"
  fifo_topic                  = true
  content_based_deduplication = var.changed
  fifo_throughput_scope       = "MessageGroup"
}

resource "aws_sns_topic_data_protection_policy" "watched" {
  arn = aws_sns_topic.watched.arn

  policy = jsonencode({
    Name        = "protection"
    Description = var.changed ? "No addresses" : "Addresses"
    Version     = "2021-06-01"
    Statement = [{
      Sid            = "deny"
      DataDirection  = "Inbound"
      DataIdentifier = ["arn:aws:dataprotection::aws:data-identifier/EmailAddress"]
      Operation      = { Deny = {} }
      Principal      = ["*"]
    }]
  })
}

resource "aws_sns_sms_preferences" "region" {
  default_sender_id   = "shop"
  default_sms_type    = var.changed ? "Promotional" : "Transactional"
  monthly_spend_limit = 1

  delivery_status_iam_role_arn          = aws_iam_role.feedback.arn
  delivery_status_success_sampling_rate = var.changed ? "50" : "100"
}

resource "aws_sqs_queue" "watched" {
  name = "sns-watched"
}

resource "aws_sns_topic_subscription" "watched" {
  topic_arn            = aws_sns_topic.watched.arn
  protocol             = "sqs"
  endpoint             = aws_sqs_queue.watched.arn
  filter_policy        = var.changed ? jsonencode({ kind = ["order", { anything-but = ["test"] }] }) : null
  raw_message_delivery = var.changed
}

resource "aws_sns_topic_subscription" "email" {
  topic_arn = aws_sns_topic.watched.arn
  protocol  = "email"
  endpoint  = "orders@example.com"
}

resource "aws_sns_topic_subscription" "firehose" {
  topic_arn             = aws_sns_topic.watched.arn
  protocol              = "firehose"
  endpoint              = "arn:aws:firehose:eu-central-1:123456789012:deliverystream/orders"
  subscription_role_arn = aws_iam_role.settings.arn
}

resource "aws_sns_platform_application" "watched" {
  name                = "watched"
  platform            = "GCM"
  platform_credential = var.changed ? "key-2" : "key-1"

  success_feedback_role_arn    = aws_iam_role.feedback.arn
  failure_feedback_role_arn    = var.changed ? aws_iam_role.feedback.arn : null
  success_feedback_sample_rate = "50"
}
