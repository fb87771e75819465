# The commands in an environment of their own, in the versions of constraints.txt.
FROM python:3.11-slim AS build
RUN python -m venv /opt/blackjack
COPY . /source
RUN /opt/blackjack/bin/python -m pip install --no-cache-dir \
      --constraint /source/constraints.txt /source

FROM python:3.11-slim
COPY --from=build /opt/blackjack /opt/blackjack
ENV PATH=/opt/blackjack/bin:$PATH
# A fresh named volume takes its owner from the folder that it covers.
RUN useradd --uid 1000 --create-home --shell /usr/sbin/nologin dealer \
 && install --directory --owner dealer --group dealer --mode 700 /bank /keys
USER dealer
WORKDIR /home/dealer
VOLUME /bank
EXPOSE 8765
# Without a shell between, so that the server itself receives the signal to stop. Every
# address here is one of the container; who publishes the port decides who reaches it,
# and over plain lines: mount a certificate and name it to have them encrypted.
CMD ["bj-server", "--host", "0.0.0.0", "--insecure", "--bank", "/bank"]
