"""What the paper cites beside the methods it compares: RankBoost and RankNet."""
