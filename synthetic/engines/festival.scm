;; What `synthetic.engines.festival` asks of festival: words whose pronunciations it is told, without PostLex.

(define (pedkit_lts word features)
  "Return the entry of a word of this request."
  (car (cdr (assoc_string word pedkit_words))))

(lex.create "pedkit")
(lex.set.phoneset "radio")
(lex.set.lts.method 'pedkit_lts)

(set! pedkit_chosen nil)

(define (pedkit_voice name)
  "Choose a voice, and switch off whatever changes phones or remembers the last request."
  (if (not (eq? name pedkit_chosen))
      (begin
        (eval (list (intern (string-append "voice_" name))))
        (set! postlex_rules_hooks nil)
        ; Before the voice maps segments to its recordings (ked joins er from er and r).
        (set! after_analysis_hooks (list pedkit_print))
        (Param.set 'PostLex_Method nil)
        (lex.select "pedkit")
        (set! pedkit_own_stretch (Param.get 'Duration_Stretch))
        (set! pedkit_own_f0 int_lr_params)
        (set! pedkit_own_hts (if (string-equal "HTS" (Param.get 'Synth_Method)) hts_engine_params nil))
        (set! pedkit_chosen name))))

(define (pedkit_print utt)
  "Print the names of the segments."
  (mapcar (lambda (segment) (format t "%s " (item.name segment))) (utt.relation.items utt 'Segment))
  utt)

(define (pedkit_print_last utt)
  "Print when the last phone ends, and when the pause after it does, in seconds."
  (let ((segments (reverse (utt.relation.items utt 'Segment))))
    (format t "| %f %f " (item.feat (cadr segments) "end") (item.feat (car segments) "end"))))

(define (pedkit_segments text)
  "Print the segments of a text without making sound."
  (let ((utt (eval (list 'Utterance 'Text text))))
    (Initialize utt)
    (Text utt)
    (Token_POS utt)
    (Token utt)
    (POS utt)
    (Phrasify utt)
    (Word utt)
    (Pauses utt)
    (pedkit_print utt)))

(define (pedkit_say file rate pitch text)
  "Write a text as a wave file, print its segments and, of a diphone voice, the last times. Rate and pitch are relative to the voice's own."
  (Param.set 'Duration_Stretch (/ pedkit_own_stretch rate))
  (set! int_lr_params
        (cons (list 'target_f0_mean (* pitch (car (cdr (assoc 'target_f0_mean pedkit_own_f0)))))
              (cdr pedkit_own_f0)))
  (if pedkit_own_hts
      (set! hts_engine_params (append pedkit_own_hts (list (list "-r" rate)))))
  (let ((utt (utt.synth (eval (list 'Utterance 'Text text)))))
    (if (not pedkit_own_hts) (pedkit_print_last utt))
    (utt.save.wave utt file 'riff)))
