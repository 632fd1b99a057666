resource "aws_iam_role" "feedback" {
  name = "sns-feedback"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "sns.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_sns_topic" "orders" {
  name              = "orders"
  display_name      = "Orders"
  signature_version = 2

  delivery_policy = jsonencode({
    http = {
      defaultHealthyRetryPolicy = {
        minDelayTarget     = 20
        maxDelayTarget     = 20
        numRetries         = 3
        numMaxDelayRetries = 0
        numNoDelayRetries  = 0
        numMinDelayRetries = 0
        backoffFunction    = "linear"
      }
      disableSubscriptionOverrides = false
    }
  })

  tracing_config = "Active"

  application_failure_feedback_role_arn    = aws_iam_role.feedback.arn
  application_success_feedback_role_arn    = aws_iam_role.feedback.arn
  application_success_feedback_sample_rate = 100
  firehose_failure_feedback_role_arn       = aws_iam_role.feedback.arn
  firehose_success_feedback_role_arn       = aws_iam_role.feedback.arn
  firehose_success_feedback_sample_rate    = 100
  http_failure_feedback_role_arn           = aws_iam_role.feedback.arn
  http_success_feedback_role_arn           = aws_iam_role.feedback.arn
  http_success_feedback_sample_rate        = 100
  lambda_failure_feedback_role_arn         = aws_iam_role.feedback.arn
  lambda_success_feedback_role_arn         = aws_iam_role.feedback.arn
  lambda_success_feedback_sample_rate      = 100
  sqs_failure_feedback_role_arn            = aws_iam_role.feedback.arn
  sqs_success_feedback_role_arn            = aws_iam_role.feedback.arn
  sqs_success_feedback_sample_rate         = 50

  tags = {
    Team = "orders"
  }
}

resource "aws_sns_topic_policy" "orders" {
  arn = aws_sns_topic.orders.arn
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "publish"
      Effect    = "Allow"
      Principal = { Service = "events.amazonaws.com" }
      Action    = "sns:Publish"
      Resource  = aws_sns_topic.orders.arn
    }]
  })
}

resource "aws_sqs_queue" "dead" {
  name = "sns-dead"
}

resource "aws_sqs_queue" "orders" {
  name = "sns-orders"
}

resource "aws_sns_topic_subscription" "orders" {
  topic_arn            = aws_sns_topic.orders.arn
  protocol             = "sqs"
  endpoint             = aws_sqs_queue.orders.arn
  raw_message_delivery = true
  filter_policy_scope  = "MessageBody"

  filter_policy = jsonencode({
    kind  = [{ prefix = "order-" }]
    total = [{ numeric = [">", 10] }]
  })

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
  })
}

resource "aws_sns_topic_subscription" "phone" {
  topic_arn = aws_sns_topic.orders.arn
  protocol  = "sms"
  endpoint  = "+15551234567"
}

resource "aws_sns_topic" "ordered" {
  name                        = "orders.fifo"
  fifo_topic                  = true
  content_based_deduplication = true
}

resource "aws_sqs_queue" "ordered" {
  name       = "sns-orders.fifo"
  fifo_queue = true
}

resource "aws_sns_topic_subscription" "ordered" {
  topic_arn = aws_sns_topic.ordered.arn
  protocol  = "sqs"
  endpoint  = aws_sqs_queue.ordered.arn
}

resource "aws_sns_platform_application" "app" {
  name                = "app"
  platform            = "GCM"
  platform_credential = "key"
}
