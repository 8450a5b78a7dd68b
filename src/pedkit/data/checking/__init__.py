"""What `pedkit.data.check` looks at, a file a matter: phones, speakers, recordings, audio; and what it writes."""
