data "aws_caller_identity" "current" {}

resource "aws_sqs_queue" "dead" {
  name                      = "dead"
  message_retention_seconds = 1209600
}

resource "aws_sqs_queue" "orders" {
  name                       = "orders"
  delay_seconds              = 5
  max_message_size           = 2048
  receive_wait_time_seconds  = 10
  visibility_timeout_seconds = 60
  sqs_managed_sse_enabled    = true

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
    maxReceiveCount     = 4
  })

  tags = {
    Environment = "test"
    Team        = "orders + invoices"
  }
}

resource "aws_sqs_queue_redrive_allow_policy" "dead" {
  queue_url = aws_sqs_queue.dead.id

  redrive_allow_policy = jsonencode({
    redrivePermission = "byQueue"
    sourceQueueArns   = [aws_sqs_queue.orders.arn]
  })
}

resource "aws_sqs_queue" "fifo" {
  name                        = "orders.fifo"
  fifo_queue                  = true
  content_based_deduplication = true
  deduplication_scope         = "messageGroup"
  fifo_throughput_limit       = "perMessageGroupId"
}

resource "aws_sqs_queue_policy" "orders" {
  queue_url = aws_sqs_queue.orders.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "send"
      Effect    = "Allow"
      Principal = { AWS = data.aws_caller_identity.current.account_id }
      Action    = ["sqs:SendMessage"]
      Resource  = aws_sqs_queue.orders.arn
    }]
  })
}

output "orders" {
  value = aws_sqs_queue.orders.url
}
