"""What-if: fights of the past under another house rule."""
