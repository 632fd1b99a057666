variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_kms_key" "queues" {
  description             = "sqs-queues"
  deletion_window_in_days = 7
}

resource "aws_sqs_queue" "encrypted" {
  name                              = "encrypted"
  kms_master_key_id                 = aws_kms_key.queues.arn
  kms_data_key_reuse_period_seconds = var.changed ? 600 : 300
  message_retention_seconds         = var.changed ? 3600 : 86400
  receive_wait_time_seconds         = var.changed ? 0 : 20
  delay_seconds                     = var.changed ? 90 : 0

  tags = {
    Kind = var.changed ? "shop" : "orders"
  }
}

# Its encryption changes from keys of SQS to none.
resource "aws_sqs_queue" "plain" {
  name_prefix             = "plain-"
  sqs_managed_sse_enabled = !var.changed

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = "*"
      Action    = "sqs:SendMessage"
      Resource  = "*"
      Condition = { ArnEquals = { "aws:SourceArn" = "arn:aws:sns:eu-central-1:123456789012:orders" } }
    }]
  })
}

resource "aws_sqs_queue" "alias" {
  name              = "alias.fifo"
  fifo_queue        = true
  kms_master_key_id = "alias/aws/sqs"
}

resource "aws_sqs_queue" "source" {
  name = "source"
}

resource "aws_sqs_queue" "target" {
  name = "target"

  redrive_allow_policy = jsonencode({
    redrivePermission = "allowAll"
  })
}

resource "aws_sqs_queue_redrive_policy" "source" {
  queue_url = aws_sqs_queue.source.id

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.target.arn
    maxReceiveCount     = var.changed ? 5 : 4
  })
}
